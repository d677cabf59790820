"""A session's mods: found, trusted, loaded, in worlds, and gone again."""

from __future__ import annotations

import importlib
import io
import py_compile
import random
import sys
import tempfile
from contextlib import redirect_stderr
from pathlib import Path
from py_compile import PycInvalidationMode
from types import ModuleType

import pytest

import sandbox
from sandbox.design.scene import Entry
from sandbox.edit import Spawn, Undo
from sandbox.files import WriteError
from sandbox.mods.find.content import read_content
from sandbox.mods.find.manifest import ModError
from sandbox.mods.find.packages import all_or_none
from sandbox.mods.find.states import Listed, ModState
from sandbox.mods.find.trust import Trust
from sandbox.mods.find.versions import Requirement
from sandbox.mods.load.assembly import assembled
from sandbox.mods.load.library import Library, own_library
from sandbox.mods.load.loading import load as load_mod
from sandbox.mods.load.together import mods_from
from sandbox.mods.run.host import SwitchMod
from sandbox.mods.run.upgrade import UseMods
from sandbox.opening import load
from sandbox.scenes.writer import save_scene, scene_text
from sandbox.toml.mistakes import SceneError
from tests.edits import do
from tests.mods import EMPTY, write_mod

DRIFT = '''
from sandbox.api import App, Phase, System, Velocity, World, component, number, resource


@component
class Drift:
    """Is carried along."""

    rate: float = number(RATE, "u/s²", 0, 100, "how much faster it gets to the right")


@resource
class Miles:
    """How far all have come."""

    count: float = number(0, "u", 0, 1e9, "all ways together")


class Drifting(System):
    """Carries everyone with Drift to the right."""

    phase = Phase.LIFE
    before = ("metabolism",)
    reads = (Drift,)
    writes = ("Velocity.x", Miles)
    factor: float = number(1, "", 0, 10, "times the rate")

    def run(self, world: World) -> None:
        rows = world.table.rows(Velocity, Drift)
        world.table.columns["Velocity.x"][rows] += self.factor * world.table.columns["Drift.rate"][rows] / 60
        world.resource(Miles).count += len(rows)


def install(app: App) -> None:
    app.add_component(Velocity, Drift)
    app.add_resource(Miles)
    app.add_system(Drifting)
    app.add_prefabs("""
[prefabs.leaf]
Position = {}
Velocity = {}
Motion = { max_speed = 1000 }
Drift = {}
""")
'''

SCENE = """format = 1
[[spawn]]
prefab = "boid"
count = 20
[[spawn]]
prefab = "leaf"
count = 5
[mods]
required = ["drift >= 1.0"]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where the program is started, with the mod `drift` in `mods`, and a scene that needs it."""
    monkeypatch.chdir(tmp_path)
    write_mod(tmp_path / "mods" / "drift", DRIFT.replace("RATE", "6"))
    (tmp_path / "autumn.toml").write_text(SCENE)
    return tmp_path


@pytest.fixture
def library(here: Path) -> Library:
    return Library(Trust(here / "trust.toml"))


def of(library: Library, mod: str = "drift") -> Listed:
    return next(listed for listed in library.listed() if listed.id == mod)


def edit(here: Path, rate: str = "12") -> None:
    write_mod(here / "mods" / "drift", DRIFT.replace("RATE", rate))


def test_a_mod_is_off_until_a_person_enables_it_and_stays_on_for_later_sessions(here: Path, library: Library) -> None:
    library.look()
    assert of(library).state is ModState.NOT_ENABLED
    assert library.loaded == ()
    assert library.enable("drift").state is ModState.ON
    later = Library(library.trust)
    later.look()
    assert [mod.id for mod in later.loaded] == ["drift"]
    later.disable("drift")
    assert of(later).state is ModState.NOT_ENABLED


def test_changed_content_has_to_be_enabled_again(here: Path, library: Library) -> None:
    library.enable("drift")
    edit(here)
    library.look()
    assert library.loaded == ()
    assert of(library).state is ModState.CHANGED
    assert library.problems == ["mod drift is not on: its files have changed since it was enabled"]
    assert library.enable("drift").state is ModState.ON


def test_what_runs_is_what_was_enabled_whatever_stands_there_by_then(here: Path, library: Library) -> None:
    folder = write_mod(here / "mods" / "sly")
    (folder / "inner.py").write_text("VALUE = 1")
    (folder / "sly.py").write_text(
        "from pathlib import Path\n"
        f"Path({str(folder)!r}, 'inner.py').write_text('VALUE = 2')\n"
        "from .inner import VALUE\n"
        "def install(app):\n"
        "    assert VALUE == 1\n"
    )
    assert library.enable("sly").state is ModState.ON
    assert [mod.id for mod in library.loaded] == ["sly"]


def test_what_it_reads_is_what_was_enabled(here: Path, library: Library) -> None:
    folder = write_mod(here / "mods" / "reader")
    (folder / "reader.py").write_text(
        "from importlib.resources import files\n"
        "from pathlib import Path\n"
        "def install(app):\n"
        "    for data in Path(__file__).with_name('data.txt'), files(__package__).joinpath('data.txt'):\n"
        "        assert data.read_text() == 'as it was', data.read_text()\n"
        "    here = Path(__file__).parent\n"
        "    assert not (here / '.env').exists()\n"
    )
    for name in (".env", ".git"):
        (folder / name).write_text("not a part of the mod")
    data = folder / "data.txt"
    data.write_text("as it was")
    assert library.enable("reader").state is ModState.ON
    found = next(one.found for one in library.listed() if one.id == "reader")
    content = read_content(folder)
    data.write_text("changed meanwhile")
    with all_or_none():
        assembled([load_mod(found, content, {}, again=True)])


def test_what_was_unpacked_and_changed_is_unpacked_again(here: Path, library: Library) -> None:
    content = read_content(write_mod(here / "mods" / "plain"))
    file = content.unpacked / "plain.py"
    file.write_text("1 / 0")
    assert read_content(here / "mods" / "plain").unpacked == content.unpacked
    assert file.read_bytes() == content.files["plain.py"]
    assert library.enable("plain").state is ModState.ON


@pytest.mark.parametrize(
    "name", ["__pycache__/plain.cpython-{v}.pyc", "plain.cpython-{v}-x86_64-linux-gnu.so", "plain/__init__.py"]
)
def test_nothing_else_lies_where_it_was_unpacked(name: str, here: Path, library: Library) -> None:
    """Python would run each of these in place of plain.py."""
    unpacked = read_content(write_mod(here / "mods" / "plain")).unpacked
    other = unpacked / name.format(v="".join(map(str, sys.version_info[:2])))
    (here / "other.py").write_text("1 / 0")
    if other.parent.name == "__pycache__":
        other.parent.unlink()
    other.parent.mkdir(exist_ok=True)
    py_compile.compile(str(here / "other.py"), str(other), invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    assert library.enable("plain").state is ModState.ON
    assert not other.exists()
    assert {path.name for path in unpacked.iterdir()} == {"__init__.py", "__pycache__", "mod.toml", "plain.py"}
    assert (unpacked / "__pycache__").read_bytes() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_where_nothing_can_be_cached_a_mod_is_loaded_nevertheless(
    here: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "no folder").write_text("")
    monkeypatch.setenv("BOIDS_CACHE_DIR", str(here / "no folder"))
    write_mod(here / "mods" / "plain")
    assert library.enable("plain").state is ModState.ON


def test_its_scenes_are_those_in_its_folder(here: Path, library: Library) -> None:
    folder = write_mod(
        here / "mods" / "painter",
        "from pathlib import Path\ndef install(app):\n    app.add_scenes(Path(__file__).parent / 'scenes')\n",
    )
    (folder / "scenes").mkdir()
    library.enable("painter")
    assert library.assembly.app.scenes == [folder / "scenes"]


def test_its_scenes_are_those_in_its_folder_also_through_links(
    here: Path, library: Library, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, link = tmp_path_factory.mktemp("real"), here / "link"
    link.symlink_to(real)
    monkeypatch.setattr(tempfile, "tempdir", str(link))
    folder = write_mod(
        here / "mods" / "painter",
        "from pathlib import Path\n"
        "def install(app):\n"
        "    app.add_scenes(Path(__file__).resolve().parent / 'scenes')\n"
        "    app.add_scenes(Path(__file__).parent / 'scenes')\n",
    )
    library.enable("painter")
    assert library.assembly.app.scenes == [folder / "scenes"] * 2


def test_to_read_a_scene_elsewhere_changes_no_mod(here: Path, library: Library, tmp_path: Path) -> None:
    library.look(here / "autumn.toml")
    library.enable("drift")
    other = write_mod(tmp_path / "other" / "mods" / "gust")
    library.trust.enable("gust", read_content(other).digest, other)
    before = library.loaded
    elsewhere = library.elsewhere()
    elsewhere.look(tmp_path / "other" / "scene.toml")
    assert {mod.id for mod in elsewhere.loaded} == {"drift", "gust"}
    assert library.loaded == before
    assert {listed.id for listed in library.listed() if listed.state is ModState.ON} == {"drift"}
    library.follow(elsewhere)
    assert {listed.id for listed in library.listed() if listed.state is ModState.ON} == {"drift", "gust"}


@pytest.mark.parametrize("changed", [False, True])
def test_a_namesake_displaces_nothing(
    here: Path, library: Library, tmp_path_factory: pytest.TempPathFactory, changed: bool
) -> None:
    """A mod of the same id beside a scene, such as one that was downloaded, stays off; the enabled one stays on."""
    library.enable("drift")
    if changed:
        edit(here)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    stranger = write_mod(elsewhere / "mods" / "drift", "raise SystemExit('a stranger ran')\n")
    library.look(elsewhere / "autumn.toml")
    states = {listed.found.folder: listed.state for listed in library.listed()}
    assert states[here / "mods" / "drift"] is (ModState.CHANGED if changed else ModState.ON)
    assert states[stranger] is ModState.REFUSED
    assert library.problems == ["mod drift is not on: its files have changed since it was enabled"] * changed
    if changed:
        assert "`boids mod enable drift`" in library.lacks(Requirement("drift"))
        assert library.enable("drift").found.folder == here / "mods" / "drift"
    assert [mod.folder for mod in library.loaded] == [here / "mods" / "drift"]


def test_a_namesake_where_the_enabled_one_is_not_found_is_off_and_no_problem(
    here: Path, library: Library, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.enable("drift")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    write_mod(elsewhere / "mods" / "drift", "raise SystemExit('a stranger ran')\n")
    later = Library(Trust(here / "trust.toml"))
    later.look(elsewhere / "autumn.toml")
    assert (later.loaded, later.problems) == ((), [])
    assert later.lacks(Requirement("drift")).endswith(f"; what you enabled lies in {here / 'mods' / 'drift'}")


def test_a_namesake_beside_a_scene_is_not_the_one_to_enable(
    here: Path, library: Library, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    stranger = write_mod(elsewhere / "mods" / "drift", "raise SystemExit('a stranger ran')\n")
    library.look(elsewhere / "autumn.toml")
    lacks = library.lacks(Requirement("drift"))
    assert lacks.startswith("the mod drift is not enabled: `boids mod enable drift` or the panel Mods")
    assert lacks.endswith(f"; another one of this id lies in {stranger}")
    assert library.enable("drift").found.folder == here / "mods" / "drift"


def test_a_scene_that_needs_it_says_how_to_enable_it(here: Path, library: Library) -> None:
    with pytest.raises(SceneError) as refused:
        load(here / "autumn.toml", mods=library)
    words = [mistake.sentence for mistake in refused.value.mistakes]
    assert words == [
        'prefab = "leaf": unknown prefab; did you mean "leader"?',
        'mods.required[0] = "drift >= 1.0": the mod drift is not enabled: `boids mod enable drift` or the panel '
        "Mods of the window enables it",
    ]


def test_another_version_than_a_scene_needs_is_told(here: Path, library: Library) -> None:
    library.enable("drift")
    scene = here / "winter.toml"
    scene.write_text(SCENE.replace("1.0", "1.2"))
    with pytest.raises(SceneError, match=r"needs the mod drift>=1.2, and there is 1.0"):
        load(scene, mods=library)


def test_mods_beside_a_scene_are_found(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    scene = elsewhere / "autumn.toml"
    scene.write_text(SCENE.replace("drift", "breeze"))
    folder = write_mod(elsewhere / "mods" / "breeze", DRIFT.replace("RATE", "1"))
    library = Library(Trust(here / "trust.toml"))
    library.look(scene)
    library.enable("breeze")
    with load(scene, mods=library) as simulation:
        assert simulation.mods.mods["breeze"].folder == folder


def test_from_python_the_folders_are_named(here: Path) -> None:
    with sandbox.load("autumn.toml", seed=2, mods=["mods/drift"]) as simulation:
        simulation.step(3)
        assert simulation.populations() == {"boid": 20, "leaf": 5}
    assert own_library().loaded == ()
    with pytest.raises(ModError, match=r"mods[/\\]nothing"):
        mods_from(["mods/nothing"])


def test_a_world_with_mods_is_saved_and_opened(here: Path, library: Library) -> None:
    library.enable("drift")
    with load("autumn.toml", mods=library) as simulation:
        simulation.step(30)
        simulation.save("state.boids")
        with load("state.boids", mods=library) as opened:
            assert opened.digest() == simulation.digest()
            simulation.step(30)
            opened.step(30)
            assert opened.digest() == simulation.digest()
        with pytest.raises(ValueError, match="the mod drift is not enabled"):
            load("state.boids")


def test_an_enabled_mod_that_nobody_needs_leaves_no_trace(here: Path, library: Library) -> None:
    library.enable("drift")
    with load("ronan", mods=library) as modded, load("ronan") as plain:
        for simulation in (modded, plain):
            simulation.step(20)
        assert modded.digest() == plain.digest()
        modded.save("state.boids")
    with load("state.boids") as opened:
        assert "leaf" not in opened.world.prefabs


def test_a_scene_names_the_mods_it_needs_when_it_is_saved(here: Path, library: Library) -> None:
    library.enable("drift")
    with load("ronan", mods=library) as simulation:
        do(simulation, Spawn(Entry("leaf", at=(10, 10))))
        text = scene_text(simulation)
    assert 'required = ["drift >= 1.0"]' in text
    (here / "saved.toml").write_text(text)
    with load("saved.toml", mods=library) as again:
        assert again.populations()["leaf"] == 1
        assert scene_text(again) == text


def test_a_mod_is_switched_by_a_command_that_can_be_undone(here: Path, library: Library) -> None:
    library.enable("drift")
    with load("autumn.toml", mods=library) as simulation, load("autumn.toml", mods=library) as other:
        simulation.submit(SwitchMod("drift", False))
        simulation.step(10)
        other.pipeline.by_name["drifting"].enabled = False
        other.step(10)
        assert simulation.digest() == other.digest()
        assert simulation.mods.off == {"drift"}
        simulation.submit(Undo())
        simulation.step()
        assert simulation.mods.off == set()
        assert simulation.pipeline.by_name["drifting"].enabled


def test_a_mod_comes_into_a_running_world(here: Path, library: Library) -> None:
    with load("ronan") as late, load("ronan") as early:
        library.enable("drift")
        early.submit(UseMods(library.loaded))
        for simulation in (early, late):
            simulation.step(5)
        late.submit(UseMods(library.loaded))
        early.submit(SwitchMod("drift", True))
        late.settle_commands()
        for simulation in (early, late):
            simulation.submit(Spawn(Entry("leaf", at=(10, 10), velocity=(0, 0))))
            simulation.step()
            row = simulation.world.table.row_of(simulation.world.next_serial - 1)
            assert simulation.world.table.columns["Velocity.x"][row] == pytest.approx(0.1)


def test_a_newer_version_keeps_the_values_of_everyone_by_name(here: Path, library: Library) -> None:
    library.enable("drift")
    with load("autumn.toml", mods=library) as simulation:
        simulation.pipeline.by_name["drifting"].factor = 2.5  # type: ignore[attr-defined]
        table = simulation.world.table
        table.columns["Drift.rate"][table.rows(table.components["Drift"])] = [0, 1, 20, 50, 99]
        simulation.step()
        text = DRIFT.replace("RATE", "6").replace('0, 100, "how', '0, 60, "how')
        text = text.replace("    rate:", '    weight: float = number(3, "g", 0, 9, "how heavy")\n    rate:')
        write_mod(here / "mods" / "drift", text)
        do(simulation, UseMods(library.reload("drift")))
        drift = table.components["Drift"]
        rows = table.rows(drift)
        assert table.columns["Drift.rate"][rows].tolist() == [0, 1, 20, 50, 60]
        assert table.columns["Drift.weight"][rows].tolist() == [3] * 5
        assert simulation.world.get(int(table.serial[rows[1]]), drift).rate == 1
        assert simulation.pipeline.by_name["drifting"].factor == 2.5  # type: ignore[attr-defined]
        assert sum(kind.__name__ == "Miles" and thing.count == 5 for kind, thing in simulation.world.resources.items())
        simulation.step(10)
        assert not simulation.mods.faults


def test_a_version_that_fails_leaves_the_old_one(here: Path, library: Library) -> None:
    library.enable("drift")
    before = library.loaded
    for broken in ("def install(app:", "import nothing_such", "def install(app): 1 / 0", "def uninstall(app): pass"):
        write_mod(here / "mods" / "drift", broken)
        with pytest.raises(Exception, match="drift"):
            library.reload("drift")
        assert library.loaded == before
    with load("ronan", mods=library) as simulation:
        assert list(simulation.mods.parts) == []  # what stands there now nobody enabled


def test_a_version_that_lacks_what_someone_has_is_refused(here: Path, library: Library) -> None:
    library.enable("drift")
    with load("autumn.toml", mods=library) as simulation:
        write_mod(here / "mods" / "drift")
        with pytest.raises(ValueError, match="no longer has the component Drift, which 5 entities have"):
            simulation.submit(UseMods(library.reload("drift")))
        simulation.step()
        assert simulation.mods.parts["drift"].systems


def test_safe_mode_loads_nothing(here: Path, library: Library) -> None:
    library.enable("drift")
    safe = Library(library.trust)
    safe.safe = True
    safe.look()
    assert safe.loaded == ()
    assert safe.problems == []


def test_one_that_a_person_names_is_on_for_the_session(here: Path) -> None:
    library = Library(Trust(here / "trust.toml"), [here / "mods" / "drift"])
    library.look()
    assert [mod.id for mod in library.loaded] == ["drift"]
    assert not (here / "trust.toml").exists()
    library.disable("drift")
    assert library.loaded == ()
    library.enable("drift")
    assert [mod.id for mod in library.loaded] == ["drift"]


def test_what_can_not_be_remembered_is_not_enabled(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "file").write_text("")
    library = Library(Trust(here / "file" / "trust.toml"))
    with pytest.raises(WriteError):
        library.enable("drift")
    assert library.loaded == ()
    with pytest.raises(ModError, match=r"there is no mod 'dirft'; there are: .*drift"):
        library.enable("dirft")


def test_a_mod_uses_what_another_brings_and_goes_with_it(here: Path, library: Library) -> None:
    user = """
from boids_mods.drift.drift import Drift
from sandbox.api import App, Phase, System, World

class Doubling(System):
    phase = Phase.LIFE
    after = ("drifting",)
    writes = (Drift,)
    def run(self, world: World) -> None:
        world.table.columns["Drift.rate"][world.table.rows(Drift)] = 50

def install(app: App) -> None:
    app.add_system(Doubling)
"""
    write_mod(here / "mods" / "doubling", user, depends=["drift >= 1"])
    library.enable("doubling")
    assert of(library, "doubling").reason.endswith("enable drift too")
    library.enable("drift")
    assert [mod.id for mod in library.loaded] == ["drift", "doubling"]
    with load("autumn.toml", mods=library) as simulation:
        edit(here)
        simulation.submit(UseMods(library.reload("drift")))
        simulation.step()
        assert not simulation.mods.faults
        rows = simulation.world.table.rows(simulation.world.table.components["Drift"])
        assert set(simulation.world.table.columns["Drift.rate"][rows].tolist()) == {50}
        simulation.submit(SwitchMod("drift", False))
        simulation.step()
        assert simulation.mods.off == {"drift", "doubling"}
        simulation.submit(SwitchMod("doubling", True))
        simulation.step()
        assert simulation.mods.off == set()


@pytest.mark.parametrize("times", [20, pytest.param(100, marks=pytest.mark.verify)])
def test_however_discoveries_are_shuffled_they_make_one_world(here: Path, times: int) -> None:
    pushes = {"m2": ("m10",), "m10": (), "m1": (), "a": ("m2",), "b": ()}
    for name, needs in pushes.items():
        code = (
            "from sandbox.api import App, Motion, Phase, System, World\n"
            f"class Push{name.title()}(System):\n"
            "    phase = Phase.STEER\n"
            '    adds = ("Motion.acceleration",)\n'
            "    def run(self, world: World) -> None:\n"
            f'        world.table.columns["Motion.acceleration.x"][:] += {len(name)}.3\n'
            f"def install(app: App) -> None:\n    app.add_system(Push{name.title()}())\n"
        )
        write_mod(here / "mods" / name, code, depends=list(needs))
    dice, orders, digests = random.Random(5), set(), set()
    folders = [here / "mods" / name for name in pushes]
    for _ in range(times):
        dice.shuffle(folders)
        mods = mods_from(folders)
        orders.add(tuple(mod.id for mod in mods.loaded))
        with load("ronan", mods=mods) as simulation:
            simulation.step(3)
            assert not simulation.mods.faults
            digests.add(simulation.digest())
    assert orders == {("b", "m1", "m10", "m2", "a")}
    assert len(digests) == 1


def entry_module(library: Library, mod: str) -> ModuleType:
    """Where the code of a loaded mod is."""
    entry = next(loaded.entry for loaded in library.loaded if loaded.id == mod)
    return next(module for module in list(sys.modules.values()) if getattr(module, "install", None) is entry)


USER = f"from boids_mods.drift.drift import Drift\n{EMPTY}"


def test_one_that_imports_a_mod_is_imported_anew_when_that_has_changed(here: Path, library: Library) -> None:
    write_mod(here / "mods" / "user", USER, depends=["drift"])
    library.enable("drift")
    library.enable("user")
    edit(here)
    library.enable("drift")
    assert entry_module(library, "user").Drift is entry_module(library, "drift").Drift
    library.look_again()
    assert [mod.id for mod in library.loaded] == ["drift", "user"]


def test_one_that_may_do_without_a_mod_does_so_when_that_is_disabled(here: Path, library: Library) -> None:
    code = (
        "try:\n    from boids_mods import drift\nexcept ImportError:\n    drift = None\ndef install(app):\n    pass\n"
    )
    write_mod(here / "mods" / "user", code, optional=["drift"])
    library.enable("user")
    assert entry_module(library, "user").drift is None
    library.enable("drift")
    assert entry_module(library, "user").drift is not None
    library.disable("drift")
    assert entry_module(library, "user").drift is None
    library.enable("drift")
    assert entry_module(library, "user").drift is not None


@pytest.mark.parametrize("line", ["from .rate import RATE", "from boids_mods.split.rate import RATE"])
def test_all_files_of_a_newer_version_are_new_however_they_are_imported(here: Path, line: str) -> None:
    folder = write_mod(here / "mods" / "split", f"{line}\n{EMPTY}")
    (folder / "rate.py").write_text("RATE = 1")
    library = Library(Trust(here / "trust.toml"), [folder])
    library.look()
    (folder / "rate.py").write_text("RATE = 2")
    library.reload("split")
    assert entry_module(library, "split").RATE == 2


def test_a_file_of_a_newer_version_is_imported_once_whatever_it_is_called(here: Path, library: Library) -> None:
    write_mod(
        here / "mods" / "user", "def install(app):\n    from boids_mods.drift.late import Late\n", depends=["drift"]
    )
    late = "def install(app):\n    from .late import Late\n    install.late = Late\n"
    folder = write_mod(here / "mods" / "drift", late)
    (folder / "late.py").write_text("class Late: pass")
    library.enable("drift")
    library.enable("user")
    write_mod(here / "mods" / "drift", f"# newer\n{late}")
    library.reload("drift")
    module = importlib.import_module("boids_mods.drift.late")
    assert entry_module(library, "drift").install.late is module.Late
    assert module.__spec__ is not None
    assert module.__spec__.name == module.__name__


def test_a_newer_version_must_still_go_together_with_the_others(here: Path, library: Library) -> None:
    write_mod(here / "mods" / "user", depends=["drift >= 1"])
    library.enable("drift")
    library.enable("user")
    before = library.loaded
    folder = write_mod(here / "mods" / "drift", version="0.9")
    with pytest.raises(ModError, match=r"user: needs drift>=1, but 0\.9 is there"):
        library.reload("drift")
    write_mod(folder, depends=["wind >= 2"])
    with pytest.raises(ModError, match=r"drift: needs wind>=2, which is missing"):
        library.reload("drift")
    write_mod(folder, depends=["user"])
    with pytest.raises(ModError, match="circular dependency"):
        library.reload("drift")
    assert library.loaded == before
    with pytest.raises(ModError, match="wind is not on"):
        library.reload("wind")


def test_a_newer_version_that_can_not_be_remembered_is_not_loaded(here: Path, library: Library) -> None:
    library.enable("drift")
    before = library.loaded
    edit(here)
    library.trust.path = here / "autumn.toml" / "trust.toml"
    with pytest.raises(WriteError):
        library.reload("drift")
    assert library.loaded == before


def test_safe_mode_says_why_a_scene_can_not_be_opened(here: Path, library: Library) -> None:
    library.enable("drift")
    library.safe = True
    with pytest.raises(SceneError, match="the mod drift is not on: in safe mode no mod is"):
        load("autumn.toml", mods=library)


def test_one_that_is_set_aside_for_another_of_its_id_is_no_problem(tmp_path: Path) -> None:
    near, far = write_mod(tmp_path / "near" / "magnet"), write_mod(tmp_path / "mods" / "magnet", version="2.0")
    library = Library(Trust(tmp_path / "mods.toml"), [near])
    library.look(tmp_path / "scene.toml")
    assert far in {one.found.folder for one in library.listed()}
    assert library.problems == []


@pytest.mark.parametrize("given", ["Drifting", "Drifting()"])
def test_a_system_is_added_by_its_class_or_by_one_that_was_made(tmp_path: Path, given: str) -> None:
    python = DRIFT.replace("RATE", "1").replace("app.add_system(Drifting)", f"app.add_system({given})")
    assert python.count(given)
    library = Library(Trust(tmp_path / "mods.toml"), [write_mod(tmp_path / "drift", python)])
    library.look()
    assert library.problems == []
    assert [kind.__name__ for kind in library.assembly.parts["drift"].systems] == ["Drifting"]


def test_a_system_that_wants_arguments_is_refused(tmp_path: Path) -> None:
    python = DRIFT.replace("RATE", "1").replace("    def run(", "    def __init__(self, rate): ...\n\n    def run(", 1)
    library = Library(Trust(tmp_path / "mods.toml"), [write_mod(tmp_path / "drift", python)])
    library.look()
    assert "system drifting can't be made, Drifting():" in library.problems[0]


def test_opening_and_saving_a_scene_installs_each_mod_once(tmp_path: Path) -> None:
    python = DRIFT.replace("RATE", "1").replace(
        "-> None:\n    app.add", "-> None:\n    print('installed')\n    app.add", 1
    )
    assert "print" in python
    folder = write_mod(tmp_path / "drift", python)
    scene = tmp_path / "scene.toml"
    scene.write_text('format = 1\n[mods]\nrequired = ["drift"]\n[[spawn]]\nprefab = "boid"\ncount = 3\n')
    told = io.StringIO()
    with redirect_stderr(told):
        library = Library(Trust(tmp_path / "mods.toml"), [folder])
        with load(scene, mods=library) as simulation:
            simulation.submit(UseMods(library.loaded))
            simulation.step(2)
            save_scene(simulation, tmp_path / "again.toml")
            simulation.save(tmp_path / "state.boids")
        load(tmp_path / "state.boids", mods=library).close()
    assert told.getvalue().count("installed") == 1
