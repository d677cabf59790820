"""Three layers, imports go down only; kernels are exact."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import sandbox
from systems.engine.kernel_cache import SOURCES

ROOT = Path(__file__).parent.parent
LAYERS = ("components", "systems", "sandbox")
FILES = sorted(path.relative_to(ROOT) for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
THERE = frozenset(FILES)
PARENTS = {folder.parent for folder in {path.parent for path in FILES}}
SHARED = ("engine", "exact", "space", "flocking")
TOP = ("__init__.py", "script")
DEFINES_SYSTEM = "(System):"
ROOMS = (
    "drawing",
    "measuring",
    "jobs",
    "document",
    "files",
    "session",
    "tools",
    "overlays",
    "gui",
    "fields",
    "controls",
    "panels",
)
WINDOW = {"arcade", "pyglet", "imgui_bundle"}
COMPILES = {"kernel", "parallel_kernel", "inlined", "outlined", "subroutine"}
COMPILES |= {"for_each_row", "for_each_portion", "on_each_axis"}


@cache
def text_of(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules a file imports, anywhere in it, by their full names."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return frozenset(found)


def of(folder: str) -> list[Path]:
    return [path for path in FILES if path.is_relative_to(folder)]


def folder(path: Path) -> str:
    """The folder of a file; where folders stand beside files, as in `sandbox`, each of these counts as one."""
    return str(path if path.parent in PARENTS else path.parent)


def file_of(name: str) -> Path | None:
    """The file of ours that an import of this name reads, if any."""
    parts = name.split(".")
    places = (Path(*parts[:end]) for end in (len(parts), len(parts) - 1) if end)
    files = (file for place in places for file in (place.with_suffix(".py"), place / "__init__.py"))
    return next((file for file in files if file in THERE), None)


def test_folders_import_in_no_circle():
    """Also counted: imports inside functions, and those for type checkers alone."""
    graph: dict[str, set[str]] = {folder(path): set() for path in FILES}
    for path in FILES:
        files = filter(None, map(file_of, imported(path)))
        graph[folder(path)] |= {folder(file) for file in files} - {folder(path)}
    assert "sandbox/edit" in graph["sandbox/simulation.py"]
    assert "sandbox/app/gui" in graph["sandbox/api.py"]
    order = list(TopologicalSorter(graph).static_order())
    assert order.index("components/store") < order.index("sandbox/edit") < order.index("sandbox/simulation.py")


def test_there_is_something_to_check():
    assert all(len(of(layer)) > 5 for layer in LAYERS)


def test_a_layer_imports_no_layer_above_it():
    for path in FILES:
        above = LAYERS[LAYERS.index(path.parts[0]) + 1 :]
        assert not {name for name in imported(path) if name.split(".")[0] in above}, path


def test_declarations_import_what_declares_and_nothing_else_of_ours():
    for path in of("components"):
        ours = {name for name in imported(path) if name.split(".")[0] in LAYERS}
        assert path.parts[1] == "store" or all(name.startswith("components.store.declare.") for name in ours), path


def test_a_system_imports_components_and_what_systems_share_but_never_a_system():
    """Of what they share, `engine` is below `exact`, that below `space`, and that below `flocking`."""
    systems = {".".join(path.with_suffix("").parts) for path in of("systems") if DEFINES_SYSTEM in text_of(path)}
    for path in of("systems"):
        own = {name.split(".")[1] for name in imported(path) if name.split(".")[0] == "systems"}
        room = path.parts[1]
        below = SHARED[: SHARED.index(room) + 1] if room in SHARED else (*SHARED, room)
        assert own <= set(below), path
        assert not {name.rpartition(".")[0] for name in imported(path)} & systems, path


def test_what_finds_what_is_drawn_knows_the_world_alone():
    for path in of("sandbox/render"):
        ours = {name for name in imported(path) if name.split(".")[0] == "sandbox"}
        assert all(name.startswith("sandbox.render.") for name in ours), path


def test_kernels_stand_where_their_cache_looks_for_changes():
    for path in FILES:
        functions = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef)]
        decorators = {node.id for made in functions for node in made.decorator_list if isinstance(node, ast.Name)}
        assert not decorators & COMPILES or any((ROOT / path).is_relative_to(folder) for folder in SOURCES), path


def test_only_the_window_imports_the_window_library():
    for path in FILES:
        named = {name.split(".")[0] for name in imported(path)}
        assert path.is_relative_to("sandbox/app") or not WINDOW & named, path


def test_the_core_imports_of_extras_only_what_finds_them():
    finds = {"sandbox.extras.modules", "sandbox.extras.EXTRAS"}
    for path in FILES:
        named = {name for name in imported(path) if name.startswith("sandbox.extras.")}
        assert path.is_relative_to("sandbox/extras") or named <= finds, path


def test_nothing_in_the_program_imports_what_scripts_do():
    """They stand on top: `from sandbox import load` is for them."""
    for path in of("sandbox"):
        named = {name.split(".")[1] for name in imported(path) if name.startswith("sandbox.")}
        is_for_scripts = path.parts[1] in TOP or path.match("sandbox/extras/*/script.py")
        assert is_for_scripts or not named & {"script", *sandbox.__all__}, path


def room(path: Path) -> str:
    """The folder of the window in which a file stands, or its own name if it stands in none."""
    return path.parts[2] if len(path.parts) > 3 else path.stem


def rooms_imported(path: Path) -> set[str]:
    names = [name.split(".") for name in imported(path) if name.startswith("sandbox.app.")]
    return {name[2] for name in names} - {room(path)}


def test_a_folder_of_the_window_imports_none_above_it():
    for path in of("sandbox/app"):
        assert room(path) not in ROOMS or not rooms_imported(path) & set(ROOMS[ROOMS.index(room(path)) :]), path


@pytest.mark.parametrize("base", ["gui.panel", "session.tool", "session.action", "overlays.overlay"])
def test_what_a_mod_derives_from_loads_no_graphics(base):
    program = f"import sys, sandbox.app.{base}; print(*{{'arcade', 'imgui_bundle'}} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "\n"), ran.stderr


def test_a_panel_draws_by_ui_alone_and_knows_nothing_of_imgui():
    """The program's own panels and those of extras, as those of mods; only the icons are Font Awesome's."""
    panels = [*of("sandbox/app/panels"), *(path for path in of("sandbox/extras") if "window" in path.parts)]
    assert len(panels) > 20
    for path in panels:
        known = {name for name in imported(path) if name.startswith("imgui_bundle")}
        assert known <= {"imgui_bundle.icons_fontawesome_6"}, path


def test_no_kernel_is_compiled_with_fastmath():
    """Neither the option, nor numba's decorators past the one place that sets the options for all."""
    for path in FILES:
        words = {node.arg for node in ast.walk(tree_of(path)) if isinstance(node, ast.keyword)}
        assert "fastmath" not in words, path
        assert path.name == "kernel.py" or not {"numba.njit", "numba.jit", "numba.vectorize"} & imported(path), path
