"""Extras import of the program only what docs/extras.md lists, and what mods may import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import sandbox.api
from sandbox.extras import EXTRAS
from tests.command_line import ROOT

LAYERS = "components", "systems", "sandbox"
PAGE = (ROOT / "docs" / "extras.md").read_text("utf-8")
ROWS = re.findall(r"^\| `([\w.]+\w)` \| ((?:`\w+` ?)+)\|$", PAGE, re.MULTILINE)
LISTED = {(module, name) for module, names in ROWS for name in re.findall(r"\w+", names)}


def imported(extra: str) -> Iterator[tuple[Path, str, str]]:
    """Yield the names that an extra imports of the program: the file, the module and the name."""
    for path in (ROOT / "sandbox" / "extras" / extra).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path, name.name, "") for name in node.names if name.name.split(".")[0] in LAYERS)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in LAYERS:
                yield from ((path, node.module or "", name.name) for name in node.names)


def is_for_all(module: str, name: str) -> bool:
    """Return whether `sandbox` or `sandbox.api` has it, too."""
    known = name in sandbox.api.__all__ and getattr(sandbox.api, name) is getattr(import_module(module), name)
    return known or module in ("sandbox", "sandbox.api")


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_imports_only_names_that_are_listed(extra: str) -> None:
    for path, module, name in imported(extra):
        own = f"{module}.".startswith(f"sandbox.extras.{extra}.")
        assert own or (module, name) in LISTED or is_for_all(module, name), f"{path}: {module} {name}"


def test_what_is_listed_is_there_and_used() -> None:
    assert len(LISTED) > 100
    used = {(module, name) for extra in EXTRAS for _, module, name in imported(extra)}
    assert [pair for pair in sorted(LISTED) if not hasattr(import_module(pair[0]), pair[1])] == []
    assert sorted(LISTED - used) == []
