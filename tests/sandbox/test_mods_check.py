"""`boids mod check` finds what is wrong with a mod by reading it, and by running it in a small world."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np
import pytest

from sandbox.mods.check import determinism as courses
from sandbox.mods.check import small_world
from sandbox.mods.check.checking import check
from sandbox.mods.find.content import read_content
from sandbox.mods.find.trust import Trust
from tests.mods import EMPTY, write_mod

PULL = """\
import random
from sandbox.api import App, Motion, Phase, Settings, System, component, number, randoms, stream

count = 0
seen = {{}}

@component
class Pull:
    strength: float = number(10, "u/s²", 0, 1000, "how hard it pulls to the right")

class Pulling(System):
    phase = Phase.STEER
    reads = (Pull, "Position.x")
    adds = ("Motion.acceleration",)

    def __init__(self):
        super().__init__()
        self.count = 0

    def run(self, world):
        table = world.table
        rows = table.rows(Pull, Motion)
        ax, strength = table.columns["Motion.acceleration.x"], table.columns["Pull.strength"]
        x, serials = table.columns["Position.x"], table.serial
        global count
        {does}

def install(app):
    app.add_component(Pull)
    app.add_system(Pulling)
    app.add_prefabs("[prefabs.puller]\\nextends = 'boid'\\nPull = {{ strength = 100 }}\\n")
"""
GOOD = "ax[rows] += strength[rows] * randoms(world, rows, stream('pull'))"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "mods" / "pull"


@pytest.fixture
def trust(tmp_path: Path) -> Trust:
    return Trust(tmp_path / "mods.toml")


def pulling(does: str) -> str:
    return PULL.format(does=does)


def test_without_running_it_all_mistakes_of_its_files_are_told(folder: Path, trust: Trust) -> None:
    assert check(Path("mods/nowhere"), trust) == ["mods/nowhere: can't be read: no such file or directory"]
    write_mod(folder, version="one", titel="Pull")
    assert check(folder, trust) == [
        'mods/pull/mod.toml:2:1: version = "one": must be a version: "1.0"',
        'mods/pull/mod.toml:5:1: titel: unknown key; did you mean "title"?',
    ]
    write_mod(folder, "import sandbox.simulation\n" + pulling(GOOD))
    (folder / "other.py").write_text("x = (1,\ny = 2\n")
    assert check(folder, trust) == [
        "mods/pull/other.py:1:5: '(' was never closed",
        "mods/pull/pull.py:1:1: imports sandbox.simulation: of the sandbox a mod may import sandbox.api alone",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (pulling(GOOD).replace("import random", "import randon"), "mods/pull/pull.py:1: ModuleNotFoundError"),
        (
            pulling(GOOD).replace("def install", "def instal"),
            "mods/pull/mod.toml: entry: pull has no function 'install'",
        ),
        (pulling(GOOD).replace("app.add_component(Pull)", "1 / 0"), "mods/pull/pull.py:29: ZeroDivisionError"),
        (pulling(GOOD).replace("extends = 'boid'", "extends = 'biod'"), "mods/pull"),
        (pulling("ax[rows] += 1 / (world.tick - 7)"), "mods/pull/pull.py:26: ZeroDivisionError"),
        (
            pulling("esper.delete_entity(1)").replace("import random", "import esper, random"),
            "mods/pull/pull.py:26:9: esper.delete_entity: not for systems of mods: ask the world, `world.despawn(",
        ),
        (pulling("strength[rows] += 1"), "mods/pull/pull.py:26: "),
        (pulling("ax[rows] = float('nan')"), "mods/pull"),
        (
            pulling("x.flags.writeable = True; x[rows] += 1"),
            "mods/pull/pull.py:20: Position.x was changed, which pulling does not declare: add it to",
        ),
        (
            pulling("import ctypes; ctypes.memset(serials.ctypes.data, 1, 8)"),
            "mods/pull/pull.py:20: the order of rows changed, which belongs to the program",
        ),
        (
            pulling("ax[rows] += strength[rows] + table.columns['Motion.max_speed'][rows]"),
            "mods/pull/pull.py:26: pulling reads Motion.max_speed, which it does not declare: add it to `reads`",
        ),
        (
            pulling("ax[rows] += world.resource(Toll).births")
            .replace("import App", "import resource, App")
            .replace("@component", "@resource\nclass Toll:\n    births: float = number(0, '', 0, 9, 'b')\n\n@component")
            .replace("app.add_component(", "app.add_resource(Toll); app.add_component("),
            "mods/pull/pull.py:30: pulling reads Toll, which it does not declare: add it to `reads`",
        ),
        (
            pulling("world.resource(Measures).values['m'] = 1")
            .replace("STEER", "MEASURE")
            .replace("import App", "import Measures, App"),
            "mods/pull/pull.py:20: Measures was changed by a system that doesn't declare it: add it to `adds`",
        ),
        (pulling("raise SystemExit"), "mods/pull/pull.py:26: SystemExit"),
        (
            pulling(GOOD).replace('number(10, "u/s²"', 'number(-10, "u/s²"'),
            "mods/pull/pull.py:9: ValueError: default = -10: must be 0 to 1,000 (u/s²)",
        ),
    ],
)
def test_what_fails_is_told_with_its_line(folder: Path, trust: Trust, text: str, expected: str) -> None:
    (found,) = check(write_mod(folder, text), trust)
    assert found.startswith(expected)


@pytest.mark.parametrize(
    ("does", "expected"),
    [
        (
            "count += 1; ax[rows] += count",
            "opened once more, the run differs from tick 1 on (Position.x, Velocity.x, measures): a mod "
            "must keep what it remembers in components or resources, and draw random numbers with `randoms`; system "
            "pulling keeps count",
        ),
        (
            "self.count += 1; ax[rows] += self.count",
            "saved and opened, the run differs from tick 51 on (Position.x, Position.y, Velocity.x and 2 "
            "more): a mod must keep what it remembers in components or resources, and draw random numbers with "
            "`randoms`; system pulling keeps count",
        ),
        (
            "seen.setdefault(len(seen), x[rows[0]]) if not seen else None; ax[rows] += next(iter(seen.values()))",
            "saved and opened, the run differs from tick 51 on",
        ),
        (
            "count += 1; 1 / (count - 150)",
            "opened once more, the run differs from tick 49 on (resources and parameters), because it "
            "failed: pull: pull.py:26: ZeroDivisionError: division by zero (system pulling, tick 48)",
        ),
        ("ax[rows] += rows", "with rows in another order, the run differs from tick 1 on"),
    ],
)
def test_what_makes_a_world_go_another_way_is_told(folder: Path, trust: Trust, does: str, expected: str) -> None:
    found = check(write_mod(folder, pulling(does)), trust)
    assert len(found) == 1
    assert found[0].startswith(f"mods/pull: {expected}")


def test_a_measure_that_depends_on_the_order_of_rows_is_told(folder: Path, trust: Trust) -> None:
    measuring = """
class Mean(System):
    phase = Phase.MEASURE
    reads = ("Position.x", Motion)
    adds = (Measures,)

    def run(self, world):
        x = world.table.columns["Position.x"][world.table.rows(Motion)].astype("float64")
        world.resource(Measures).values["mean_x"] = float((1 / (1 + x * x)).mean())

def install(app):
    app.add_system(Mean)
"""
    text = pulling(GOOD).replace("import App", "import App, Measures").replace("\ndef install(app):\n", measuring)
    found = check(write_mod(folder, text), trust)
    assert len(found) == 1
    assert found[0].startswith("mods/pull: with rows in another order, the run differs from tick")
    assert "(measures): add floats and spawn in the order of serials" in found[0]


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
def test_what_depends_on_the_number_of_threads_is_told(folder: Path, trust: Trust) -> None:
    before = numba.get_num_threads()
    numba.set_num_threads(2)
    try:
        found = check(write_mod(folder, "import numba\n" + pulling("ax[rows] += numba.get_num_threads()")), trust)
        assert numba.get_num_threads() == 2
    finally:
        numba.set_num_threads(before)
    assert len(found) == 1
    assert found[0].startswith("mods/pull: on one thread, the run differs from tick 1 on")


def test_a_mod_that_it_needs_must_be_enabled_as_it_is(folder: Path, trust: Trust) -> None:
    write_mod(folder, "from boids_mods.wind.wind import SPEED\n" + pulling(GOOD), depends=["wind >= 1.0"])
    assert check(folder, trust) == ["mods/pull: needs wind>=1.0, which is missing: put its folder beside this one"]
    wind = write_mod(folder.parent / "wind", "SPEED = 3\n\n\ndef install(app):\n    pass\n")
    assert check(folder, trust) == ["mods/pull: needs wind>=1.0, which is not enabled: enable wind too"]
    trust.enable("wind", read_content(wind).digest)
    assert check(folder, trust, quick=True) == []
    (wind / "wind.py").write_text("SPEED = 4\n\n\ndef install(app):\n    pass\n")
    assert check(folder, trust) == ["mods/pull: needs wind, which was changed since it was enabled: enable it again"]


def test_other_mods_that_are_enabled_have_no_part_in_it(folder: Path, trust: Trust) -> None:
    other = write_mod(folder.parent / "other", "raise ValueError\n")
    trust.enable("other", read_content(other).digest)
    assert check(write_mod(folder, pulling(GOOD), conflicts=["other"]), trust, quick=True) == []


def test_its_scenes_are_read_with_it(folder: Path, trust: Trust) -> None:
    text = "from pathlib import Path\n" + pulling(GOOD) + "    app.add_scenes(Path(__file__).parent / 'scenes')\n"
    write_mod(folder, text)
    assert check(folder, trust, quick=True) == ["mods/pull/scenes: add_scenes: there are no scenes in it"]
    (folder / "scenes").mkdir()
    (folder / "scenes" / "good.toml").write_text("format = 1\n[[spawn]]\nprefab = 'puller'\nPull.strength = 5\n")
    assert check(folder, trust, quick=True) == []
    (folder / "scenes" / "bad.toml").write_text('format = 1\n[[spawn]]\nprefab = "puler"\n')
    assert check(folder, trust, quick=True) == [
        'mods/pull/scenes/bad.toml:3:1: prefab = "puler": unknown prefab; did you mean "puller"?'
    ]


def test_quick_runs_it_once_and_what_is_done_is_told(folder: Path, trust: Trust) -> None:
    told: list[str] = []
    write_mod(folder, pulling("count += 1; ax[rows] += count"))
    assert check(folder, trust, quick=True, tell=told.append) == []
    once = ["reading it", "running 100 ticks", "drawing its overlays"]
    assert told == once
    assert len(check(folder, trust, tell=told.append)) == 1
    assert told[3:] == [*once, "running it again, opened once more"]


def test_what_says_that_it_works_with_depth_is_run_there_too(folder: Path, trust: Trust) -> None:
    told: list[str] = []
    flat = pulling("across, up = table.stacked('Position', rows).T; ax[rows] += strength[rows]")
    flat = flat.replace('"Position.x")', '"Position.x", "Position.y", "Position.z")')
    assert check(write_mod(folder, flat), trust, quick=True, tell=told.append) == []
    assert not any("with depth" in doing for doing in told)
    (wrong,) = check(write_mod(folder, flat, worlds="both"), trust, quick=True)
    assert "too many values to unpack" in wrong
    assert check(write_mod(folder, pulling(GOOD), worlds="both"), trust, quick=True, tell=told.append) == []
    assert told[-2:] == ["running 100 ticks, with depth", "drawing its overlays, with depth"]


def test_what_depends_on_something_outside_a_world_with_depth_is_told(folder: Path, trust: Trust) -> None:
    drifts = pulling("count += 'Position.z' in table.columns; ax[rows] += count")
    (wrong,) = check(write_mod(folder, drifts, worlds="both"), trust)
    assert wrong.startswith("mods/pull: opened once more, with depth, the run differs from tick 1 on")


def test_systems_that_never_run_are_named_with_what_they_need(folder: Path, trust: Trust) -> None:
    pull = pulling(GOOD)
    two = pull.replace("    adds =", "    needs = (Pull, Ink)\n    adds =")
    two = two.replace("class Pulling", "@component\nclass Ink:\n    pass\n\nclass Pulling")
    two = two.replace("app.add_component(Pull)", "app.add_component(Pull, Ink)")
    two = two.replace("strength = 100 }\\n", "strength = 100 }\\n[prefabs.sheet]\\nPosition = {}\\nInk = {}\\n")
    assert check(write_mod(folder, two), trust, quick=True) == [
        "mods/pull: system pulling never runs: no prefab has Pull and Ink together"
    ]
    led = pull.replace("    adds =", "    needs = (Pull, Leader)\n    adds =").replace(
        "import App", "import Leader, App"
    )
    assert "mods/pull: system pulling never ran: no entity has Pull and Leader" in check(
        write_mod(folder, led), trust, quick=True
    )


def test_a_system_that_needs_what_no_prefab_has_never_runs_unless_somebody_is_given_it(
    folder: Path, trust: Trust
) -> None:
    never = pulling(GOOD).replace("    adds =", "    needs = (Pull,)\n    adds =").replace("Pull = {", "Motion = {")
    never = never.replace("strength = 100", "max_speed = 100")
    assert check(write_mod(folder, never), trust, quick=True) == [
        "mods/pull: system pulling never runs: no prefab or scene has Pull, and no system gives it to anyone"
    ]
    in_scene = "from pathlib import Path\n" + never + "    app.add_scenes(Path(__file__).parent / 'scenes')\n"
    write_mod(folder, in_scene)
    (folder / "scenes").mkdir()
    (folder / "scenes" / "pulled.toml").write_text("format = 1\n[[spawn]]\nprefab = 'boid'\nPull.strength = 5\n")
    assert check(folder, trust, quick=True) == []
    giver = "class Giver(System):\n    phase = Phase.LIFE\n\n    def run(self, world):\n"
    giver += "        world.add(int(world.table.serial[world.table.rows(Motion)[0]]), Pull)\n\n"
    giving = never.replace("def install(app):\n", f"{giver}def install(app):\n    app.add_system(Giver())\n")
    assert check(write_mod(folder, giving), trust, quick=True) == []


def test_a_prefab_that_no_world_takes_is_told_without_a_path_of_ours(folder: Path, trust: Trust) -> None:
    rolling = "def install(app):\n    app.add_prefabs('[prefabs.rock]\\nextends = \"obstacle\"\\nVelocity = {}')\n"
    assert check(write_mod(folder, rolling), trust) == [
        "mods/pull: prefab 'rock': an obstacle or wall can't move: leave out Velocity, or the Obstacle or Wall"
    ]
    broken = pulling("world.resource(Toll).stored = {'Toll.who': ('Adelaide',)}")
    broken = broken.replace("import App", "import resource, several, text, App")
    broken = broken.replace("adds =", "writes = (Toll,)\n    adds =")
    toll = "@resource\nclass Toll:\n    who: tuple = several(text('', 5, 'who'), 3, 'who')\n\n@component"
    broken = broken.replace("@component", toll).replace("app.add_c", "app.add_resource(Toll); app.add_c")
    assert check(write_mod(folder, broken), trust) == [
        "mods/pull: saved, the world can't be opened: start.npy: resources.Toll.who = ['Adelaide']: entry 1 must be a "
        "text in one line, of at most 5 characters"
    ]
    seeing = rolling.replace("obstacle", "boid").replace("Velocity = {}", 'Perception.reach = "everyone"')
    assert check(write_mod(folder, seeing), trust, quick=True) == []


@pytest.mark.parametrize("where", ["np.hypot = None\n", "def install(app):\n    np.hypot = None\n"])
def test_a_mod_may_not_replace_what_all_use(folder: Path, trust: Trust, where: str) -> None:
    (found,) = check(write_mod(folder, f"{EMPTY}\nimport numpy as np\n{where}"), trust)
    assert "replaces numpy.hypot, which all others use" in found
    assert np.hypot(3, 4) == 5


def test_what_breaks_the_program_itself_is_told_in_a_sentence(folder: Path, trust: Trust) -> None:
    code = "import sys\n" + pulling("sys.modules['sandbox.mods.check.determinism'].digests_by_tick = None")
    try:
        (found,) = check(write_mod(folder, code), trust)
    finally:
        courses.digests_by_tick = small_world.digests_by_tick
    assert found.startswith("mods/pull: it made the program fail, TypeError: 'NoneType' object is not callable")


def test_files_of_a_mod_are_read_with_importlib(folder: Path, trust: Trust) -> None:
    text = (
        "from importlib.resources import files\n"
        "assert files(__package__).joinpath('data', 'words.txt').read_text() == 'hello'\n" + EMPTY
    )
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "words.txt").write_text("hello")
    assert check(write_mod(folder, text), trust, quick=True) == []


def test_a_mod_of_walls_and_of_nothing_at_all_is_run(folder: Path, trust: Trust) -> None:
    assert check(write_mod(folder), trust, quick=True) == []
    fence = "def install(app):\n    app.add_prefabs('[prefabs.fence]\\nextends = \"wall\"\\nWall.thickness = 2')\n"
    assert check(write_mod(folder, fence), trust) == []


@pytest.mark.parametrize(
    ("does", "expected"),
    [
        ("pass", []),
        (
            "session.nothing",
            ["mods/rings/rings.py:8: AttributeError: 'Session' object has no attribute 'nothing' (overlay Rings)"],
        ),
        (
            "session.simulation.world.table.columns['Position.x'][0] += 1",
            ["mods/rings: it changed the world, which overlays only read (overlay Rings)"],
        ),
    ],
)
def test_every_overlay_is_drawn_once(folder: Path, trust: Trust, does: str, expected: list[str]) -> None:
    rings = f"""
from sandbox.api import Overlay

class Rings(Overlay):
    name, title, help = "rings", "Rings", "It draws rings."

    def draw(self, canvas, session):
        {does}

def install(app):
    app.add_overlay(Rings())
"""
    assert check(write_mod(folder.parent / "rings", rings), trust, quick=True) == expected


TICK = """
import math, random, time
import numpy as np
from math import atan2 as angle
from sandbox.api import System, Overlay, kernel

class Turning(System):
    def run(self, world):
        self.turn(world.tick)
        push(math.sqrt(2))

    def turn(self, tick):
        np.sin(tick), random.random(), np.random.default_rng(1).random(), time.time(), math.inf

@kernel
def push(x):
    return far(x)

@kernel
def far(x):
    return angle(x, 1) + math.hypot(x, 1) + math.exp(x)

class Drawing(Overlay):
    def draw(self, canvas, session):
        return math.sin(1) + random.random()

def install(app):
    random.random()
"""


def test_what_a_tick_must_not_call_is_told_with_its_line_without_running_it(folder: Path, trust: Trust) -> None:
    write_mod(folder, TICK)
    (folder / "tests").mkdir()
    (folder / "tests" / "test_it.py").write_text(TICK)
    other = "it is different in every run: use"
    chance = f"{other} `randoms`, or in kernels `random_unit`, of sandbox.api"
    bits = "its last bits differ between machines: use"
    assert check(folder, trust) == [
        f"mods/pull/pull.py:13:9: numpy.sin: {bits} `direction` and `cosine` of sandbox.api",
        f"mods/pull/pull.py:13:23: random.random: {chance}",
        f"mods/pull/pull.py:13:40: numpy.random.default_rng: {chance}",
        f"mods/pull/pull.py:13:75: time.time: {other} `world.tick`",
        f"mods/pull/pull.py:21:12: math.atan2: {bits} `direction` and `cosine` of sandbox.api",
        f"mods/pull/pull.py:21:26: math.hypot: {bits} `length` of sandbox.api",
        f"mods/pull/pull.py:21:45: math.exp: {bits} only + - * / and sqrt",
    ]


@pytest.mark.parametrize(
    ("part", "who", "name", "what"),
    [
        ('chart(MeasureChart("A", "ordr", {"a": "a"}))', "the chart A", "ordr", "measuring system; did you mean"),
        ('chart(MeasureChart("A", "wrap", {"a": "a"}))', "the chart A", "wrap", "measuring system"),
        ('tool(Placing("a", "A", "a", "h", "Lok"))', "the tool A", "Lok", "component; did you mean"),
        ('tool(Placing("a", "A", "a", "h", "Look", aims="Wind.angel"))', "the tool A", "Wind.angel", "field"),
        ('panel(FieldsPanel("a", "A", systems=("nosuch",)))', "the panel A", "nosuch", "system"),
        ('panel(FieldsPanel("a", "A", prefabs={"biod": []}))', "the panel A", "biod", "prefab; did you mean 'boid'?"),
        ('panel(FieldsPanel("a", "A", prefabs={"boid": ["Lok"]}))', "the panel A", "Lok", "component; did you mean"),
    ],
)  # fmt: skip
def test_a_part_of_the_window_that_names_what_there_is_not_is_refused(
    folder: Path, trust: Trust, part: str, who: str, name: str, what: str
) -> None:
    text = f"from sandbox.api import FieldsPanel, MeasureChart, Placing\n\ndef install(app):\n    app.add_{part}\n"
    (found,) = check(write_mod(folder, text), trust)
    assert found.startswith(f"mods/pull: ValueError: {who} names {name!r}: there is no such {what}")


ROUNDABOUT = """
import math
import numpy as np
from sandbox.api import System

wave = np.sin

class Waves:
    def height(self, x):
        return wave(x)

class Base(Waves, System):
    def run(self, world):
        self.wander(world.tick)

    def wander(self, tick):
        return self.height(tick) ** 2 + tick ** 0.5 + tick ** -2

class Farther(Base):
    def wander(self, tick):
        return math.cos(tick) + tick ** 0.3 + hash("far")

class Panel:
    def draw(self, id):
        return math.cos(1) ** 0.3, id(1)
"""


def test_it_is_told_also_where_another_name_or_a_class_between_leads_there(folder: Path, trust: Trust) -> None:
    bits, run = "its last bits differ between machines: use", "it is different in every run: use"
    assert check(write_mod(folder, ROUNDABOUT), trust) == [
        f"mods/pull/pull.py:10:16: numpy.sin: {bits} `direction` and `cosine` of sandbox.api",
        f"mods/pull/pull.py:21:16: math.cos: {bits} `direction` and `cosine` of sandbox.api",
        f"mods/pull/pull.py:21:33: **: {bits} only + - * / and sqrt",
        f"mods/pull/pull.py:21:47: hash: {run} serials",
    ]


CHART = """
from sandbox.api import MeasureChart

LINES = {"polarization": "a", "milling": "b", "population.boid": "c", "polarisation": "d"}

def install(app):
    app.add_chart(MeasureChart("Order", "order", LINES))
"""


def test_a_chart_of_what_its_system_does_not_measure_is_told(folder: Path, trust: Trust) -> None:
    assert check(write_mod(folder, CHART), trust, quick=True) == [
        "mods/pull: the chart Order names 'polarisation': order has no such measure; did you mean 'polarization'?"
    ]


FIRST = "in STEER and neither says which goes first: declare `before` or `after`; or, if pulling does not"


@pytest.mark.parametrize(
    ("declares", "said"),
    [
        (
            'reads = (Pull, Motion); adds = ("Motion.acceleration",)',
            f"both touch Motion.acceleration {FIRST} use it, name fields in `reads`, not Motion, like "
            '"Motion.min_speed" (',
        ),
        (
            "adds = (Motion,)",
            f"both touch Motion.max_speed {FIRST} add to it, name fields in `adds`, not Motion, like "
            '"Motion.acceleration" (',
        ),
        ('reads = ("Pull.strenth",)', "system pulling touches 'Pull.strenth', a field that no component has; did you"),
        ("reads = 5", "system pulling: reads = 5: must be a tuple like"),
        (
            'phase = Phase.SENSE; writes = ("Position.x",)',
            "system pulling writes Position.x in SENSE, where the spatial",
        ),
    ],
)
def test_a_system_that_is_declared_wrongly_is_told_at_its_line(
    folder: Path, trust: Trust, declares: str, said: str
) -> None:
    text = pulling(GOOD).replace('reads = (Pull, "Position.x")\n    adds = ("Motion.acceleration",)', declares)
    (found,) = check(write_mod(folder, text), trust)
    assert found.startswith("mods/pull/pull.py:11: ")
    assert said in found
