"""Checks what a mod imports: of this program `sandbox.api` only, and of other mods those named in its mod.toml.

The imports are read from the syntax tree; nothing is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from sandbox.mods.find.content import Content
from sandbox.mods.find.packages import ROOT

API = "sandbox.api"
OURS = ("sandbox", "systems", "components")


def foreign_imports(content: Content, mods: Collection[str]) -> list[str]:
    """Return a message with its place for each import that a mod may not use.

    The mod's tests may import anything. Files with syntax errors are skipped, because importing them reports the error.

    Args:
        mods: ids of the mods that it may import: itself, and those named in its mod.toml.
    """
    found = []
    for name, text in content.files.items():
        if not name.endswith(".py") or name.startswith("tests/"):
            continue
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node, module in _imported(tree, name.count("/")):
            place = f"{name}:{node.lineno}:{node.col_offset + 1}"
            root, _, rest = module.partition(".")
            mod = rest.split(".")[0]
            if root in OURS and module != API and not module.startswith(f"{API}."):
                found.append(f"{place}: imports {module}: of the sandbox a mod may import sandbox.api alone")
            elif root == ROOT and mod not in mods:
                found.append(f"{place}: imports the mod {mod}, which it does not name: depends = [{mod!r}] in mod.toml")
    return found


def _imported(tree: ast.AST, depth: int) -> list[tuple[ast.stmt, str]]:
    """Return the full names of all imports in a file, in order of lines, without imports from the same mod.

    Args:
        depth: how many folders deep the file is in the mod.
    """
    found: list[tuple[ast.stmt, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and (not node.level or node.level > depth + 1):  # outside the mod
            inside = ".".join(filter(None, (ROOT if node.level else "", node.module)))
            found += [(node, f"{inside}.{alias.name}") for alias in node.names]
    return sorted(found, key=lambda imported: (imported[0].lineno, imported[0].col_offset))
