"""Finds in a mod's files, without running them, what a tick must not call: a library's sine, chance, clocks, esper.

A tick runs the methods of systems and of their bases that `run` calls, and whatever functions of the mod these name,
directly or not.
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
NUMBERED = {"hash", "id"}  # functions of Python itself
ESPER = {
    "create_entity": "ask the world, `world.spawn(prefab)`",
    "delete_entity": "ask the world, `world.despawn(serials)`",
    "add_component": "ask the world, `world.add(serial, Component)`",
    "remove_component": "ask the world, `world.remove(serial, Component)`",
    "try_remove_component": "ask the world, `world.remove(serial, Component)`",
    "add_processor": "add systems in install, `app.add_system(system)`",
    "remove_processor": "only people disable systems",
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
    classes: list[tuple[str, ast.ClassDef]] = []
    for file, tree in trees.items():
        for node in tree.body:
            if isinstance(node, Function):
                named.setdefault(node.name, []).append((file, None, node))
            elif isinstance(node, ast.ClassDef):
                named.setdefault(node.name, []).extend((file, node, inner) for inner in _methods(node))
                classes.append((file, node))
    systems = _systems([node for _, node in classes])
    methods: list[Place] = [
        (file, node, inner) for file, node in classes if node in systems for inner in _methods(node)
    ]
    todo = [place for place in methods if place[2].name == "run"]
    found, seen = set[tuple[str, int, int, str]](), set[ast.AST]()
    while todo:
        file, owner, function = todo.pop()
        if function in seen:
            continue
        seen.add(function)
        for power in (node for node in ast.walk(function) if isinstance(node, ast.BinOp) and _is_inexact_power(node)):
            found.add((file, power.lineno, power.col_offset + 1, f"**: {BITS}: use only + - * / and sqrt"))
        for name in (node for node in ast.walk(function) if isinstance(node, ast.Name | ast.Attribute)):
            if advice := _advice(full := _full(name, modules[file])):
                found.add((file, name.lineno, name.col_offset + 1, f"{full.removeprefix('builtins.')}: {advice}"))
            if owner and isinstance(name, ast.Attribute) and _last(name.value) in ("self", "cls"):
                family = methods if owner in systems else [(file, owner, inner) for inner in _methods(owner)]
                todo += [place for place in family if place[2].name == name.attr]
            elif isinstance(name, ast.Name) or isinstance(name.value, ast.Name):
                todo += named.get(_last(name), ())
    return [f"{file}:{line}:{column}: {message}" for file, line, column, message in sorted(found)]


def _systems(classes: list[ast.ClassDef]) -> set[ast.ClassDef]:
    """Return the classes that extend System, directly or not, and those that they extend."""
    bases = {node: {_last(base) for base in node.bases} for node in classes}
    known, systems = {"System"}, set[ast.ClassDef]()
    while more := [node for node in classes if node not in systems and bases[node] & known]:
        systems.update(more)
        known |= {node.name for node in more}
    while mixed := [
        node for node in classes if node not in systems and any(node.name in bases[one] for one in systems)
    ]:
        systems.update(mixed)
    return systems


def _is_inexact_power(node: ast.BinOp) -> bool:
    """Return whether this is a power whose exponent is neither a whole number nor one half, as far as one can see."""
    exponent = node.right.operand if isinstance(node.right, ast.UnaryOp) else node.right
    whole = isinstance(exponent, ast.Constant) and (exponent.value == 0.5 or isinstance(exponent.value, int))
    return isinstance(node.op, ast.Pow) and not whole


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
    """Return what each imported name stands for, also by another name: {"np": "numpy", "sine": "math.sin"}."""
    found = dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.split(".")[0]
                found[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update((a.asname or a.name, f"{node.module}.{a.name}") for a in node.names)
    for given in (node for node in tree.body if isinstance(node, ast.Assign)):
        if full := _full(given.value, found):
            found.update((target.id, full) for target in given.targets if isinstance(target, ast.Name))
    taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    taken |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return {name: f"builtins.{name}" for name in NUMBERED - taken} | found


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
    if full.startswith("builtins."):
        return "it is different in every run: use serials"
    if full.startswith(CLOCKS):
        return "it is different in every run: use `world.tick`"
    if library == "esper" and name in ESPER:
        return f"not for systems of mods: {ESPER[name]}"
    return ""
