"""Faults: describes for people what went wrong in a mod, and in which line."""

from __future__ import annotations

import builtins
import dis
import inspect
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

from components.store.handles import Component
from components.store.resources import Resource
from components.store.words import did_you_mean

LONGEST = 500  # characters of a message
AT = re.compile(  # how numba names a line
    r"(?:(?:, defined|^During: typing of .*) at|Raised from) (?P<at>.+) \((?P<its_line>\d+)\)$"
    r"|^File \"(?P<file>.+)\", line (?P<line>\d+):$",
    re.MULTILINE,
)
UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
ASSIGNED = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
UNKNOWN = re.compile(r"Unknown attribute '(\w+)' of type (Data_)?")
IMPOSSIBLE = re.compile(r"^No implementation of function .*\n\s*\n >>> (.+)$", re.MULTILINE)
UNBOUND = re.compile(r"due to \"TypeError: (.+?)\"")
REJECTED = re.compile(r"^\s+(?:Numba|Typing)\w*Error: (?!Failed in )(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Fault:
    """What went wrong in a mod.

    Attributes:
        mod: its id.
        place: the file in the mod's folder with its line, "magnet.py:14"; empty if no line of the mod is to blame.
        message: the error in one line, "ZeroDivisionError: division by zero".
        where: what the mod was doing: "system magnetism, tick 500", "install", "panel Magnets".
    """

    mod: str
    place: str
    message: str
    where: str

    @property
    def sentence(self) -> str:
        """The complete message: "magnet: magnet.py:14: ZeroDivisionError: division by zero (system ..., tick 500)"."""
        place = f"{self.place}: " if self.place else ""
        return f"{self.mod}: {place}{self.message} ({self.where})"


class TrespassError(RuntimeError):
    """A mod did something that mods may not do; the message is a complete sentence and is shown without a prefix."""


class EndlessError(TrespassError):
    """A mod did not end, and a person stopped it."""

    def __init__(self) -> None:
        super().__init__("it did not end, and was stopped")


class ModInterrupt(KeyboardInterrupt):
    """A person interrupted the program while code of a mod ran; the message names the mod and the line."""


@contextmanager
def about(kind: Any) -> Iterator[None]:
    """Let errors in this block be told at the line of this class, if no other line of the mod is to blame."""
    try:
        yield
    except (ValueError, TypeError) as error:
        error.about = kind  # type: ignore[union-attr]
        raise


def interrupt_of(error: KeyboardInterrupt, mod: str, folder: Path, where: str) -> KeyboardInterrupt:
    """Return a `ModInterrupt` if the interrupted code was the mod's, else the same error."""
    place = _place(error, folder)
    return ModInterrupt(f"interrupted in the mod {mod}: {place} ({where})") if place else error


def fault_of(error: BaseException, mod: str, folder: Path, where: str) -> Fault:
    """Return the fault for an exception; its place is the deepest line of the traceback that is in the mod's folder."""
    if isinstance(error, SystemError) and error.__cause__ is not None:  # a kernel raised the cause
        error = error.__cause__
    return Fault(mod, _place(error, folder), _message(error), where)


def text_of(error: BaseException) -> str:
    """Return the message of an exception, even if its `__str__` raises."""
    try:
        return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    except Exception:
        return "(it can't be printed)"


def inside(file: str, line: int, folder: Path) -> str:
    """Return a line in the form "magnet.py:14" if its file is in the folder, else an empty string."""
    path, root = Path(file).resolve(), folder.resolve()
    return f"{path.relative_to(root).as_posix()}:{line}" if path.is_relative_to(root) else ""


def _kernel_lines(error: BaseException) -> list[tuple[str, int]]:
    """Return the file and line of each call that led to what numba could not compile, the deepest first."""
    text = text_of(error) if _of_numba(error) else ""
    told = [(at["at"] or at["file"], int(at["its_line"] or at["line"])) for at in AT.finditer(text)]
    typed: list[Any] = [getattr(own, "loc", None) for own in reversed(_numbas_objects(error))]
    return [*told, *((at.filename, at.line) for at in typed if _of_numba(at)), *_kernels(error)]


def _kernels(error: BaseException) -> list[tuple[str, int]]:
    """Return the file and first line of each kernel that numba was compiling, the deepest first."""
    kernels = [getattr(own, "py_func", None) for own in reversed(_numbas_objects(error))]
    return [(each.__code__.co_filename, each.__code__.co_firstlineno) for each in kernels if each]


def _numbas_objects(error: BaseException) -> list[Any]:
    """Return the objects of numba whose methods led to an error; of a mod's own objects nothing may be asked."""
    owners = [frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__)]
    return [own for own in owners if _of_numba(own)]


def _undefined_line(error: BaseException) -> tuple[str, int] | None:
    """Return the file and line of a kernel with a name that is not defined; numba's message names neither."""
    found = UNDEFINED.search(text_of(error)) if _of_numba(error) else None
    for own in _numbas_objects(error) if found else ():
        function = getattr(own, "py_func", None)
        if found and function and (line := _line_of(found.group(1), function, set())):
            return line
    return None


def _line_of(name: str, function: Any, seen: set[Any]) -> tuple[str, int] | None:
    """Return where a function, or a kernel that it calls, uses a name that is not defined."""
    seen.add(function)
    known, codes = function.__globals__, list(_with_inner(function.__code__))
    if name not in known and not hasattr(builtins, name):
        for code in codes:
            for each in dis.get_instructions(code):
                if each.argval == name and each.opname == "LOAD_GLOBAL" and each.positions:
                    return code.co_filename, each.positions.lineno or 1
    called = [getattr(known.get(other), "py_func", None) for code in codes for other in code.co_names]
    lines = (_line_of(name, other, seen) for other in called if other and other not in seen)
    return next((line for line in lines if line), None)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and of the functions, lambdas and comprehensions in it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _with_inner(inner)


def _message(error: BaseException) -> str:
    text = _numba_message(text_of(error)) if _of_numba(error) else text_of(error)
    text, name = " ".join(text.split())[:LONGEST], type(error).__name__.lstrip("_")
    if isinstance(error, AttributeError) and "did you mean" not in text:
        text += _near_attribute(error, text)
    if isinstance(error, KeyError) and (record := _record_of(error)):
        text = f"there is no {text!r}{did_you_mean(text, record.fields)}"
    return text if isinstance(error, TrespassError) else f"{name}: {text}".removesuffix(": ")


def _of_numba(thing: object) -> bool:
    return type(thing).__module__.startswith("numba.")


def _record_of(error: KeyError) -> Any:
    """Return the type of a record in which numba did not find a field, if that was the error."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    record = frames[-1].f_locals.get("self") if frames else None
    return record if _of_numba(record) and hasattr(record, "fields") else None


def _near_attribute(error: AttributeError, text: str) -> str:
    """Return a suggestion for a misspelt attribute; where one was assigned, Python does not say of which object."""
    if error.name:
        return did_you_mean(error.name, _names(error.obj))
    owner, name = found.groups() if (found := ASSIGNED.search(text)) else ("", "")
    kinds = [kind for base in (Component, Resource) for kind in base.__subclasses__() if kind.__name__ == owner]
    return did_you_mean(name, kinds[-1].fields) if kinds else ""


def _names(thing: object) -> list[str]:
    """Return the names of an object's attributes, even if the object can't say them."""
    try:
        return [name for name in dir(thing) if not name.startswith("_")]
    except Exception:
        return []


def _numba_message(text: str) -> str:
    """Return the essential line of numba's error text, which has many."""
    if unknown := UNKNOWN.search(text):
        of_data = ": data has the components that a system declares, in lower case" if unknown.group(2) else ""
        return f"there is no {unknown.group(1)!r}{of_data}"
    if specific := REJECTED.search(text) or UNBOUND.search(text):
        return specific.group(1)
    if "NRT required" in text:
        return "a kernel of for_each_row or for_each_portion can't make a list or an array"
    if impossible := IMPOSSIBLE.search(text):
        return f"a kernel can't do {impossible.group(1)}"
    lines = [line.strip() for line in text.replace(". Raised from None", "").splitlines()]
    return AT.sub("", next((line for line in lines if line and not line.startswith("Failed in ")), ""))


def _place(error: BaseException, folder: Path) -> str:
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        place = inside(frame.f_code.co_filename, line, folder) or place
    if isinstance(error, SyntaxError) and error.filename:
        place = inside(error.filename, error.lineno or 1, folder) or place
    undefined = _undefined_line(error)
    lines = [undefined] if undefined else _kernel_lines(error)
    place = next((found for line in lines if (found := inside(*line, folder))), place)
    return place or _class_line(getattr(error, "about", None), folder)


def _class_line(kind: Any, folder: Path) -> str:
    """Return where a class is defined, if its file is in the folder."""
    try:
        return inside(inspect.getfile(kind), inspect.getsourcelines(kind)[1], folder)
    except (TypeError, OSError):
        return ""
