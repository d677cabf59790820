"""Three floors, imports go down only; kernels are exact."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import sandbox

ROOT = Path(__file__).parent.parent
FLOORS = ("components", "systems", "sandbox")
FILES = sorted(path.relative_to(ROOT) for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))
SHARED = ("engine", "exact", "space")
TOP = ("__init__.py", "script")
DEFINES_SYSTEM = "(System):"
ROOMS = ("drawing", "measuring", "files", "session", "tools", "overlays", "gui", "fields", "controls", "panels")
WINDOW = {"arcade", "pyglet", "imgui_bundle"}


def imported(path: Path) -> set[str]:
    """The modules a file imports, anywhere in it, by their full names."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return found


def of(folder: str) -> list[Path]:
    return [path for path in FILES if path.is_relative_to(folder)]


def test_there_is_something_to_check():
    assert all(len(of(floor)) > 5 for floor in FLOORS)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_floor_imports_no_floor_above_it(path):
    above = FLOORS[FLOORS.index(path.parts[0]) + 1 :]
    assert not {name for name in imported(path) if name.split(".")[0] in above}


@pytest.mark.parametrize("path", [path for path in of("components") if path.parts[1] != "store"], ids=str)
def test_declarations_import_the_fields_and_nothing_else_of_ours(path):
    ours = {name for name in imported(path) if name.split(".")[0] in FLOORS}
    assert all(name.startswith("components.store.fields.") for name in ours)


@pytest.mark.parametrize("path", of("systems"), ids=str)
def test_a_system_imports_components_and_what_systems_share_but_never_a_system(path):
    """Of what they share, `engine` is below `exact`, and `exact` below `space`."""
    own = [name.split(".")[1] for name in imported(path) if name.split(".")[0] == "systems"]
    room = path.parts[1]
    below = SHARED[: SHARED.index(room) + 1] if room in SHARED else (*SHARED, room)
    assert set(own) <= set(below)
    others = {path.stem for path in of(f"systems/{room}") if DEFINES_SYSTEM in (ROOT / path).read_text("utf-8")}
    assert room in SHARED or not others & {
        name.split(".")[2] for name in imported(path) if name.startswith(f"systems.{room}.")
    }


@pytest.mark.parametrize("path", [path for path in FILES if not path.is_relative_to("sandbox/app")], ids=str)
def test_only_the_window_imports_the_window_library(path):
    assert not WINDOW & {name.split(".")[0] for name in imported(path)}


@pytest.mark.parametrize("path", [path for path in of("sandbox") if path.parts[1] not in TOP], ids=str)
def test_nothing_in_the_program_imports_what_scripts_do(path):
    """They stand on top: `from sandbox import load` is for them."""
    named = {name.split(".")[1] for name in imported(path) if name.startswith("sandbox.")}
    assert not named & {"script", *sandbox.__all__}


def room(path: Path) -> str:
    """The folder of the window in which a file stands, or its own name if it stands in none."""
    return path.parts[2] if len(path.parts) > 3 else path.stem


def rooms_imported(path: Path) -> set[str]:
    names = [name.split(".") for name in imported(path) if name.startswith("sandbox.app.")]
    return {name[2] for name in names} - {room(path)}


@pytest.mark.parametrize("path", [path for path in of("sandbox/app") if room(path) in ROOMS], ids=str)
def test_a_folder_of_the_window_imports_none_above_it(path):
    assert not rooms_imported(path) & set(ROOMS[ROOMS.index(room(path)) :])


def test_folders_and_files_of_the_window_import_in_no_circle():
    graph: dict[str, set[str]] = {}
    for path in of("sandbox/app"):
        graph.setdefault(room(path), set()).update(rooms_imported(path))
    assert set(ROOMS) < set(graph)
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("base", ["gui.panel", "session.tool", "session.action", "overlays.overlay"])
def test_what_a_mod_derives_from_loads_no_graphics(base):
    program = f"import sys, sandbox.app.{base}; print(*{{'arcade', 'imgui_bundle'}} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "\n"), ran.stderr


@pytest.mark.parametrize("path", of("systems") + of("components"), ids=str)
def test_no_kernel_is_compiled_with_fastmath(path):
    """Neither the option, nor numba's decorators past the one place that sets the options for all."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "fastmath"]
    assert path.name == "kernel.py" or not {"numba.njit", "numba.jit", "numba.vectorize"} & imported(path)
