"""What a mod imports: `sandbox.api` and nothing else of ours, and of mods those that it names in its mod.toml.

Read from its text, nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from sandbox.mods.find.content import Content
from sandbox.mods.find.packages import ROOT

API = "sandbox.api"
OURS = ("sandbox", "systems", "components")


def foreign_imports(content: Content, mods: Collection[str]) -> list[str]:
    """A sentence for each import that a mod may not rely on, with its place; its tests may import anything.

    A file that is no Python has none here: importing it tells what is wrong with it.

    Args:
        mods: ids of those it may import: itself, and those that it names in its mod.toml.
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
    """The full names of what is imported anywhere in a file, in order of lines, but for what is in the same mod.

    Args:
        depth: in how many folders of the mod the file is.
    """
    found: list[tuple[ast.stmt, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and (not node.level or node.level > depth + 1):  # those lead out of it
            inside = ".".join(filter(None, (ROOT if node.level else "", node.module)))
            found += [(node, f"{inside}.{alias.name}") for alias in node.names]
    return sorted(found, key=lambda imported: (imported[0].lineno, imported[0].col_offset))
