"""What systems define has types; kernels, whose types numba finds, are marked by a decorator."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted(path.relative_to(ROOT) for path in (ROOT / "systems").rglob("*.py"))
MARKS = {"kernel", "parallel_kernel", "inlined", "outlined", "subroutine"}
MARKS |= {"for_each_row", "for_each_portion", "on_each_axis"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def names_in(*nodes: ast.AST) -> set[str]:
    return {node.id for each in nodes for node in ast.walk(each) if isinstance(node, ast.Name)}


def is_kernel(function: Function) -> bool:
    return bool(names_in(*function.decorator_list) & MARKS)


def is_typed(function: Function, is_method: bool) -> bool:
    """Whether the result and all arguments have types; `self` and `cls` need none."""
    given = function.args
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    is_static = "staticmethod" in names_in(*function.decorator_list)
    own = arguments[1 if is_method and not is_static else 0 :]
    return function.returns is not None and all(argument.annotation is not None for argument in own)


def without_types(node: ast.AST) -> Iterator[Function]:
    """The functions below a node that are no kernels and lack a type, except those that are to become kernels."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            if is_kernel(child):
                continue
            if not is_typed(child, isinstance(node, ast.ClassDef)):
                yield child
            if names_in(*child.body) & MARKS:  # it makes kernels of the functions in it
                continue
        yield from without_types(child)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_each_function_has_types_or_is_marked_as_a_kernel(path: Path) -> None:
    found = [f"{path}:{each.lineno} {each.name}" for each in without_types(ast.parse((ROOT / path).read_text("utf-8")))]
    assert not found, f"give {found} types, or mark them as kernels: {', '.join(sorted(MARKS))}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(a: int, *b: int, c: int = 1, **d: int) -> int: ...", []),
        ("class C:\n    def f(self, a: int) -> None: ...\n    @staticmethod\n    def g(a: int) -> None: ...", []),
        ("@kernel\ndef f(a): ...", []),
        ("def make() -> Function:\n    def f(a): ...\n    return inlined(f)", []),
        ("def f(a: int): ...", ["f"]),
        ("def f(a) -> int: ...", ["f"]),
        ("def f(*a) -> int: ...", ["f"]),
        ("class C:\n    def f(self, a) -> None: ...", ["f"]),
        ("def f(a: int) -> None:\n    def g(b): ...", ["g"]),
        ("@cache\ndef f(a): ...", ["f"]),
        ("def make(a):\n    return inlined(a)", ["make"]),
    ],
)
def test_what_counts_as_typed(text: str, found: list[str]) -> None:
    assert [function.name for function in without_types(ast.parse(text))] == found
