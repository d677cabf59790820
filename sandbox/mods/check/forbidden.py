"""Finds in a mod's files, without running them, what a tick must not call: a library's sine, chance, clocks, esper.

A tick runs the `run` methods of systems, and whatever functions of the mod these name, directly or not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from sandbox.mods.find.content import Content

ROUND = {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "arcsin", "arccos", "arctan", "arctan2"}
ROUND |= {"sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "asinh", "acosh", "atanh", "sinc"}
POWERS = {"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "power", "float_power", "cbrt", "erf", "erfc"}
POWERS |= {"gamma", "lgamma", "logaddexp"}
LENGTHS = {"hypot", "dist"}
CHANCE = ("random.", "numpy.random.", "secrets.", "uuid.", "os.urandom")
CLOCKS = ("time.", "datetime.")
ESPER = {
    "create_entity": "ask the world, `world.spawn(prefab)`",
    "delete_entity": "ask the world, `world.despawn(serials)`",
    "add_component": "ask the world, `world.add(serial, Component)`",
    "remove_component": "ask the world, `world.remove(serial, Component)`",
    "try_remove_component": "ask the world, `world.remove(serial, Component)`",
    "add_processor": "add systems in install, `app.add_system(system)`",
    "remove_processor": "only people switch systems off",
    "process": "the world calls its systems",
    "switch_world": "a system sees its own world only",
    "delete_world": "a system sees its own world only",
    "clear_database": "ask the world, `world.despawn(serials)`",
}
BITS = "its last bits differ between machines"

Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[str, ast.ClassDef | None, Function]  # the file, the class and the function


def forbidden(content: Content) -> list[str]:
    """Return a message with its place for each such call; the mod's tests may call anything.

    Files with syntax errors are skipped, because compiling them reports the error.
    """
    trees = dict(_trees(content))
    modules = {file: _imported(tree) for file, tree in trees.items()}
    named: dict[str, list[Place]] = {}  # what the top of a file defines
    todo: list[Place] = []
    for file, tree in trees.items():
        for node in tree.body:
            if isinstance(node, Function):
                named.setdefault(node.name, []).append((file, None, node))
            elif isinstance(node, ast.ClassDef):
                named.setdefault(node.name, []).extend((file, node, inner) for inner in _methods(node))
                if any(_last(base) == "System" for base in node.bases):
                    todo += [(file, node, inner) for inner in _methods(node) if inner.name == "run"]
    found, seen = set[tuple[str, int, int, str]](), set[ast.AST]()
    while todo:
        file, owner, function = todo.pop()
        if function in seen:
            continue
        seen.add(function)
        for name in (node for node in ast.walk(function) if isinstance(node, ast.Name | ast.Attribute)):
            if advice := _advice(full := _full(name, modules[file])):
                found.add((file, name.lineno, name.col_offset + 1, f"{full}: {advice}"))
            if owner and isinstance(name, ast.Attribute) and _last(name.value) == "self":
                todo += [(file, owner, inner) for inner in _methods(owner) if inner.name == name.attr]
            elif isinstance(name, ast.Name) or isinstance(name.value, ast.Name):
                todo += named.get(_last(name), ())
    return [f"{file}:{line}:{column}: {message}" for file, line, column, message in sorted(found)]


def _methods(owner: ast.ClassDef) -> list[Function]:
    return [node for node in owner.body if isinstance(node, Function)]


def _trees(content: Content) -> Iterator[tuple[str, ast.Module]]:
    for name, text in content.files.items():
        if name.endswith(".py") and not name.startswith("tests/"):
            try:
                yield name, ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue


def _imported(tree: ast.Module) -> dict[str, str]:
    """Return what each imported name stands for: {"np": "numpy", "sine": "math.sin"}."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.split(".")[0]
                found[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update((a.asname or a.name, f"{node.module}.{a.name}") for a in node.names)
    return found


def _full(node: ast.expr, modules: Mapping[str, str]) -> str:
    """Return the full name of an imported thing, "numpy.sin"; "" for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    root = modules.get(node.id, "") if isinstance(node, ast.Name) else ""
    return ".".join([root, *reversed(names)]) if root else ""


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _advice(full: str) -> str:
    """Return why a tick must not use the thing of this name, and what it uses instead; "" if it may use it."""
    library, _, name = full.rpartition(".")
    if library in ("math", "cmath", "numpy"):
        if name in ROUND:
            return f"{BITS}: use `direction` and `cosine` of sandbox.api"
        if name in LENGTHS:
            return f"{BITS}: use `length` of sandbox.api"
        if name in POWERS:
            return f"{BITS}: use only + - * / and sqrt"
    if full.startswith(CHANCE):
        return "it is different in every run: use `randoms`, or in kernels `random_unit`, of sandbox.api"
    if full.startswith(CLOCKS):
        return "it is different in every run: use `world.tick`"
    if library == "esper" and name in ESPER:
        return f"not for systems of mods: {ESPER[name]}"
    return ""
