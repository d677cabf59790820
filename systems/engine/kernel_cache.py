"""Where compiled kernels are kept, and when they are compiled anew.

numba looks at a file's time and at nothing that its functions call from other files. Here a kernel's stamp is a hash of
all that its machine code is made of: its bytecode and options, the values of the names it uses, and the same of every
kernel it calls. So an edit compiles anew what it changes and no more, and copies of the program share one cache.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from platformdirs import user_cache_path

import components

SOURCES = (Path(__file__).parent.parent, Path(components.__file__).parent)
KEPT = 8  # versions of the program whose kernels are kept, the newest ones
ROOM = 16 << 20  # bytes that must be free for new kernels: three times what all of them take
PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype)
TUPLES = re.compile(rb"^class \w+\(NamedTuple\):\n(?:(?: .*)?\n)+|^\w+ = namedtuple\(.*", re.MULTILINE)

used: set[str] = set()  # the stamps of the kernels that this process compiled or loaded


@cache
def _sources() -> tuple[str, str]:
    """Hashes of what all kernels depend on: the versions and the fields of named tuples; and of all source files."""
    import llvmlite
    import numba

    common = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    whole = common.copy()
    for source in sorted(path for folder in SOURCES for path in folder.rglob("*.py")):
        text = source.read_bytes()
        whole.update(text)
        for fields in TUPLES.findall(text):  # kernels know them by their order
            common.update(fields)
    return common.hexdigest()[:16], whole.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """The folder for kernels, or None where none can be written or the disk is full."""
    root = Path(os.environ.get("BOIDS_CACHE_DIR") or user_cache_path("boids-sandbox", appauthor=False))
    folder = root / "kernels" / _sources()[0]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    is_full = shutil.disk_usage(folder).free < ROOM and not any(folder.glob("warm-*"))
    return None if is_full else folder


def warm_mark(folder: Path) -> Path:
    """The file that stands in the cache once it holds every kernel of this version; it names their stamps."""
    return folder / f"warm-{_sources()[1]}"


def is_cold() -> bool:
    """Whether kernels have still to be compiled."""
    folder = cache_folder()
    return folder is None or not warm_mark(folder).exists()


def mark_warm() -> None:
    """Note that every kernel is in the cache, and remove what only older versions used."""
    if (folder := cache_folder()) is None:
        return
    warm_mark(folder).write_text("\n".join(sorted(used)))
    mods = folder / "mods"
    for old in [*_oldest(folder.parent.iterdir()), *_oldest(mods.iterdir() if mods.exists() else (), 4 * KEPT)]:
        shutil.rmtree(old, ignore_errors=True)
    marks = list(folder.glob("warm-*"))
    for old in _oldest(marks):
        old.unlink(missing_ok=True)
    known = {stamp for mark in marks if mark.exists() for stamp in mark.read_text().split()}
    for kept in folder.glob("*.nb[ic]"):
        if kept.name.split("-")[1].split(".")[0] not in known and len(marks) > KEPT:
            kept.unlink(missing_ok=True)


def _oldest(paths: Iterable[Path], kept: int = KEPT) -> list[Path]:
    """All but the newest ones."""
    return sorted(paths, key=lambda path: path.stat().st_mtime)[:-kept]


class Locator:
    """What numba asks where it keeps a kernel, and whether what is there is still the same."""

    folder, options = Path(), ""  # of the kernel at hand: numba makes the locator

    def __init__(self, function: FunctionType) -> None:
        self._stamp, self._folder = stamp_of(function, Locator.options), str(Locator.folder)
        used.add(self._stamp)

    @classmethod
    def from_function(cls, function: FunctionType, file: str) -> Locator:
        return cls(function)

    def ensure_cache_path(self) -> None:
        os.makedirs(self._folder, exist_ok=True)

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return self._stamp


def stamp_of(function: FunctionType, options: str = "") -> str:
    """A hash of all that a function's machine code is made of, 16 hexadecimal digits."""
    digest = hashlib.sha256(options.encode())
    for part in _parts(function, set()):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


def _parts(function: FunctionType, seen: set[int]) -> Iterator[str]:
    """All that a function is made of, in words; of those that call each other, each once."""
    if id(function) in seen:
        return
    seen.add(id(function))
    yield f"function {function.__qualname__} {function.__defaults__!r} {function.__kwdefaults__!r}"
    for cell in function.__closure__ or ():
        yield from _value(cell.cell_contents, (), seen)
    for code in _codes(function.__code__):
        yield f"{code.co_code.hex()} {code.co_varnames} {code.co_argcount} {code.co_kwonlyargcount} {code.co_flags}"
        yield repr([const for const in code.co_consts if not isinstance(const, CodeType) and const != function.__doc__])
        for name in code.co_names:
            yield name
            if name in function.__globals__:
                yield from _value(function.__globals__[name], code.co_names, seen)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def _value(value: Any, names: tuple[str, ...], seen: set[int]) -> Iterator[str]:
    """What a name stands for; of a module of ours, that which the function may take of it."""
    value = getattr(value, "made", value)
    if isinstance(value, PLAIN):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, tuple | list | frozenset):
        yield f"{type(value).__name__} {len(value)}"
        for element in value:
            yield from _value(element, names, seen)
    elif isinstance(value, np.ndarray):
        yield f"array {value.dtype} {value.shape} {value.tobytes().hex()}"
    elif isinstance(value, ModuleType):
        yield f"module {value.__name__}"
        for name in names if _is_ours(value.__name__) else ():
            if hasattr(value, name):
                yield from _value(getattr(value, name), names, seen)
    elif isinstance(function := getattr(value, "py_func", value), FunctionType):  # a kernel, or a function it inlines
        yield repr(sorted(getattr(value, "targetoptions", {}).items(), key=str))
        yield from _parts(function, seen)
    elif isinstance(value, type):
        yield f"class {value.__module__}.{value.__qualname__}"
    else:  # such as an intrinsic of numba's: whatever its file makes of it
        yield f"{type(value).__qualname__} {_file_of(value)}"


def _is_ours(module: str) -> bool:
    return module.split(".")[0] in {folder.name for folder in SOURCES} | {"boids_mods"}


def _file_of(value: Any) -> str:
    """A hash of the file in which something was made; its text where there is none."""
    made: Callable[..., Any] | None = getattr(value, "_defn", None)
    spec = importlib.util.find_spec(made.__module__) if made else None
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest() if spec and spec.origin else repr(value)
