"""Which column a mod's system tried to write that is for reading only: numpy and numba don't say."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

import numpy as np

from sandbox.mods.find.fault import inside, kernel_line, text_of

TARGET = re.compile(r"[-+*/%&|^@<>]*=(?!=)")


def read_only_columns(error: BaseException, columns: Mapping[str, Any], folder: Path) -> list[str] | None:
    """The keys of the columns that the failed statement may have meant to write; None for other errors.

    Args:
        columns: those for reading that the system asked for, by key.
        folder: the mod's.
    """
    if not re.search("read-?only", text_of(error)):
        return None
    walk, in_kernel = list(_frames(error.__traceback__)), kernel_line(error)
    for frame, statement in reversed(walk):
        if inside(frame.f_code.co_filename, 1, folder):
            passed = _argument(frame, statement, *in_kernel) if in_kernel else None
            texts = (passed or _target(statement), statement if in_kernel else "")
            return next((found for text in texts if (found := _named(text, frame, columns))), [])
        if len(found := _among(_arrays(frame).values(), columns)) == 1:  # a handle's
            return found
    return []


def _frames(trace: TracebackType | None) -> Iterator[tuple[FrameType, str]]:
    """The frames that led to an error, each with the statement it was at."""
    while trace is not None:
        code, index = trace.tb_frame.f_code, trace.tb_lasti // 2
        first, last, *_ = next(islice(code.co_positions(), index, None), (None, None))
        lines = range(first or trace.tb_lineno, (last or trace.tb_lineno) + 1)
        yield trace.tb_frame, "".join(linecache.getline(code.co_filename, line) for line in lines)
        trace = trace.tb_next


def _arrays(frame: FrameType) -> dict[str, Any]:
    return {name: value for name, value in frame.f_locals.items() if isinstance(value, np.ndarray)}


def _among(arrays: Any, columns: Mapping[str, Any]) -> list[str]:
    """The keys of the columns that these arrays are parts of."""
    return [key for key, column in columns.items() if any(np.shares_memory(a, column) for a in arrays)]


def _target(statement: str) -> str:
    """What a statement writes to, as text: before `=`, or given as `out`."""
    out = re.search(r"\bout\s*=\s*(.*)", statement)
    return out.group(1) if out else TARGET.split(statement, maxsplit=1)[0]


def _named(text: str, frame: FrameType, columns: Mapping[str, Any]) -> list[str]:
    """The columns that a text names, by key or by variables of a frame that hold a key or an array."""
    known = [frame.f_locals.get(name) for name in re.findall(r"\w+", text)]
    keys = {value for value in known if isinstance(value, str)}
    found = [key for key in columns if f'"{key}"' in text or f"'{key}'" in text or key in keys]
    return found or _among([value for value in known if isinstance(value, np.ndarray)], columns)


def _argument(frame: FrameType, statement: str, kernel: str, line: int) -> str | None:
    """What a frame passes to a kernel for the parameter that one of the kernel's lines writes to, as text."""
    target = re.match(r"\s*(\w+)", _target(linecache.getline(kernel, line)))
    try:
        calls = [node for node in ast.walk(ast.parse(statement.strip())) if isinstance(node, ast.Call)]
    except SyntaxError:
        return None
    for call in calls:
        function = frame.f_globals.get(call.func.id) if isinstance(call.func, ast.Name) else None
        code: CodeType | None = getattr(getattr(function, "py_func", None), "__code__", None)
        if not (code and target) or line not in {where for *_, where in code.co_lines()}:
            continue
        names = code.co_varnames[: min(code.co_argcount, len(call.args))]
        if target.group(1) in names:
            return ast.unparse(call.args[names.index(target.group(1))])
    return None
