"""The cache of compiled kernels, and its invalidation.

numba's own cache checks the time of a file, and no functions that are called from other files. Here a kernel's stamp is
a hash of everything its machine code depends on: its bytecode and options, the values of the names it uses, and the
same of every kernel it calls. So an edit recompiles only what it changes, and copies of the program share one cache.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from platformdirs import user_cache_path

from systems.engine.file_lock import HeldError, Lock, take

ROOT = Path(__file__).parents[2]
SOURCES = tuple(ROOT / folder for folder in ("components", "systems", "sandbox/render"))  # of kernels and their tuples
PACKAGES = ("components", "systems", "sandbox", "boids_mods")
NEWEST = 8  # versions of the program: only their kernels stay on disk
PATIENCE, AGAIN = 60.0, 0.02  # s that a process waits for a kernel that another one compiles; s between two looks
ROOM = 16 << 20  # bytes that must be free for new kernels: three times the size of all of them
PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype)
TUPLES = re.compile(rb"^class \w+\(NamedTuple\):.*\n(?:(?: .*)?\n)+|\bnamedtuple\([^)]*\)", re.MULTILINE)
FIELDS = re.compile(rb"^class \w+|^    \w+: .+", re.MULTILINE)  # of a class, without docstrings

used: set[str] = set()  # the stamps of the kernels that this process compiled or loaded


@cache
def _sources() -> tuple[str, str]:
    """Return two hashes: of what all kernels depend on (versions and named tuples), and of all source files."""
    import llvmlite
    import numba

    common = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    whole = common.copy()
    for source in sorted(path for folder in SOURCES for path in folder.rglob("*.py")):
        text = source.read_bytes()
        whole.update(text)
        common.update(b"\n".join(named_tuples(text)))  # kernels access their fields by index
    return common.hexdigest()[:16], whole.hexdigest()[:16]


def named_tuples(source: bytes) -> list[bytes]:
    """Return the declarations of named tuples in a source file: their names and fields, in order."""
    return [b"\n".join(FIELDS.findall(declared)) or declared for declared in TUPLES.findall(source)]


def cache_root() -> Path:
    """Return the folder for all that is cached on disk; it may not exist yet."""
    return Path(os.environ.get("BOIDS_CACHE_DIR") or user_cache_path("boids-sandbox", appauthor=False))


@cache
def cache_folder() -> Path | None:
    """Return the folder for kernels, or None if it can't be written or the disk is full."""
    folder = cache_root() / "kernels" / _sources()[0]
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
    """Return the path of the file that marks a cache with every kernel of this version; it lists their stamps."""
    return folder / f"warm-{_sources()[1]}"


def is_cold() -> bool:
    """Return whether kernels are missing from the cache."""
    folder = cache_folder()
    return folder is None or not warm_mark(folder).exists()


def mark_warm() -> None:
    """Mark the cache as complete, and remove kernels that only older versions used."""
    if (folder := cache_folder()) is None:
        return
    warm_mark(folder).write_text("\n".join(sorted(used)))
    mods = folder / "mods"
    for old in [*_oldest(folder.parent.iterdir()), *_oldest(mods.iterdir() if mods.exists() else (), 4 * NEWEST)]:
        shutil.rmtree(old, ignore_errors=True)
    for path in folder.glob("*.lock"):  # of processes that were ended while they compiled
        with suppress(OSError):
            take(path).remove()
    marks = list(folder.glob("warm-*"))
    for old in _oldest(marks):
        old.unlink(missing_ok=True)
    known = {stamp for mark in marks if mark.exists() for stamp in mark.read_text().split()}
    for file in folder.glob("*.nb[ic]"):
        if file.name.split("-")[1].split(".")[0] not in known and len(marks) > NEWEST:
            file.unlink(missing_ok=True)


def _oldest(paths: Iterable[Path], newest: int = NEWEST) -> list[Path]:
    """Return all but the `newest` paths."""
    return sorted(paths, key=lambda path: path.stat().st_mtime)[:-newest]


def turn(kernel: Path) -> Lock | None:
    """Wait until no other process compiles a kernel, and return its lock; None if that takes long, or can't be known.

    Args:
        kernel: the path of its file in the cache, without an ending.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            return take(kernel.with_suffix(".lock"))
        except HeldError:
            time.sleep(AGAIN)
        except OSError:  # not every network drive supports locks; or it is of another person
            return None
    return None


class Locator:
    """numba's interface to the cache: says where a kernel is stored, and by its stamp whether it is still valid."""

    folder, options = Path(), ""  # of the kernel being compiled: class attributes, because numba makes the instance

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
    """Return a hash of everything that a function's machine code depends on, 16 hexadecimal digits."""
    digest = hashlib.sha256(options.encode())
    for text in _ingredients(function, set()):
        digest.update(text.encode())
    return digest.hexdigest()[:16]


def _ingredients(function: FunctionType, seen: set[int]) -> Iterator[str]:
    """Yield everything that a function's machine code depends on, as text; functions that call each other once."""
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
    """Yield the value of a name as text; for one of our modules, the names in it that the function may use."""
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
        yield from _ingredients(function, seen)
    elif isinstance(value, type):
        yield f"class {value.__module__}.{value.__qualname__}"
    else:  # such as an intrinsic of numba's: depends on its file
        yield f"{type(value).__qualname__} {_file_of(value)}"


def _is_ours(module: str) -> bool:
    return module.split(".")[0] in PACKAGES


def _file_of(value: Any) -> str:
    """Return a hash of the file in which an intrinsic is defined; the value's repr if there is none."""
    made: Callable[..., Any] | None = getattr(value, "_defn", None)
    spec = importlib.util.find_spec(made.__module__) if made else None
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest() if spec and spec.origin else repr(value)
