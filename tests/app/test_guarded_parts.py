"""What a mod's panel, tool or overlay does to the window: it is stopped and named, and the picture is whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key
from numpy.typing import NDArray

from sandbox.app.window import FlockWindow
from sandbox.mods.run.host import SwitchMod

from .conftest import OpenWindow, at, drifting, screen, send
from .modded import frames, named, said, with_overlay, with_panel, with_tool, write_mod
from .mouse import click as mouse_click
from .mouse import hit, point, press
from .test_space_window import camera, deep
from .widgets import click, look

pytestmark = pytest.mark.painted


def seen(window: FlockWindow) -> NDArray[np.uint8]:
    """A frame as it stands on the screen: (height, width, 3)."""
    window.switch_to()
    window.on_draw()
    return screen(window)


def open_with(open_on: OpenWindow, folder: Path, panels: tuple[str, ...] = ("lode.lodes",)) -> FlockWindow:
    window = open_on(drifting(at(300, 180)), (900, 640), panels=panels, library=named(folder))
    window.session.clock.paused = True
    return window


WRONG_PANELS = {
    "raises": ("1 / 0", "ZeroDivisionError: division by zero"),
    "leaves the program": ("raise SystemExit(3)", "SystemExit: 3"),
    "in a child": ('with ui.child("c"): 1 / 0', "ZeroDivisionError"),
    "in a table": ('with ui.table("t", [None, 40]): ui.next_row(); 1 / 0', "ZeroDivisionError"),
    "in a plot": ('with ui.plot("p", (-1, 100)): 1 / 0', "ZeroDivisionError"),
    "in tabs": ('with ui.tabs("b"), ui.tab("i"): 1 / 0', "ZeroDivisionError"),
    "in a tooltip": ("with ui.tooltip(): 1 / 0", "ZeroDivisionError"),
    "in other colours and sizes": (
        "with ui.coloured(text=(1, 0, 0, 1)), ui.styled(frame_padding=(40, 40)), ui.larger(3), ui.bold(): 1 / 0",
        "ZeroDivisionError",
    ),
    "in what is named, grouped and disabled": (
        'with ui.named("x"), ui.group(), ui.disabled(), ui.child("c"): 1 / 0',
        "ZeroDivisionError",
    ),
    "in a long list": ("for _ in ui.visible(range(9)): 1 / 0", "ZeroDivisionError"),
    "in what it never ends": (
        """
        ui.child("c").__enter__()
        ui.table("t", [0, 0]).__enter__()
        ui.next_row()
        ui.coloured(text=(1, 0, 0, 1)).__enter__()
        ui.larger(3).__enter__()
        1 / 0
        """,
        "ZeroDivisionError",
    ),
    "a plot that it never ends": ('ui.plot("p", (-1, 100)).__enter__(); 1 / 0', "ZeroDivisionError"),
    "misuses a type": ("ui.button(3)", "AttributeError"),
    "an unknown colour": ("with ui.coloured(ink=(1, 0, 0, 1)): pass", "KeyError: ink"),
    "an empty label": ('ui.button("")', "Cannot have an empty ID"),
    "recurses": ("self.draw(session, ui)", "RecursionError"),
}


@pytest.mark.parametrize("draw", [draw for draw, _ in WRONG_PANELS.values()], ids=list(WRONG_PANELS))
def test_a_panel_that_fails_stops_its_mod_and_leaves_the_picture_whole(
    open_on: OpenWindow, tmp_path: Path, draw: str
) -> None:
    message = next(message for known, message in WRONG_PANELS.values() if known == draw)
    window = open_with(open_on, write_mod(tmp_path, with_panel(draw)), ("charts", "palette"))
    frames(window, 3)
    before = seen(window)
    window.session.toggle_panel("lode.lodes")
    assert "##tool boid" in look(window, 1).places  # in the frame in which it fails, too
    frames(window, 2)
    (warning,) = (text for text in said(window) if "stopped" in text)
    assert "The mod Lodes was stopped: lode.py:" in warning
    assert message in warning
    assert "panel Lodes" in warning
    assert "Closed: Lodes" in warning
    assert "lode.lodes" not in window.session.preferences.open
    assert window.simulation.mods.off == {"lode"}
    window.session.messages.clear()
    frames(window, 2)
    assert (seen(window) == before).all()


def test_a_panel_that_does_no_harm_is_drawn_as_any_other(open_on: OpenWindow, tmp_path: Path) -> None:
    draw = """
    if ui.button("pull"):
        session.messages.say("pulled")
    with ui.child("c"), ui.plot("p", (-1, 80)):
        pass
    """
    window = open_with(open_on, write_mod(tmp_path, with_panel(draw)))
    click(window, "pull")
    assert said(window) == ["pulled"]
    assert "and here they end" in look(window).texts


LATER = """
class Lodes(Panel):
    name, title, size = "lodes", "Lodes", (300, 200)

    def draw(self, session, ui):
        self.ui = ui

class Lines(Overlay):
    name, title, help, always = "lines", "Lines", "lines", True

    def draw(self, canvas, session):
        PANEL.ui.text("here")

PANEL = Lodes()

def install(app):
    app.add_panel(PANEL)
    app.add_overlay(Lines())
"""


def test_what_draws_panels_can_not_be_used_elsewhere(open_on: OpenWindow, tmp_path: Path) -> None:
    python = LATER.replace("always = ", "under = ")
    window = open_with(open_on, write_mod(tmp_path, python))
    frames(window, 2)
    window.session.toggle_overlay("lode.lines")
    frames(window, 2)
    (warning,) = (text for text in said(window) if "stopped" in text)
    assert "ui is there for the `draw` of a panel alone" in warning
    assert "overlay Lines" in warning


def test_what_a_panel_asked_for_is_guarded_when_it_is_answered(open_on: OpenWindow, tmp_path: Path) -> None:
    python = """
    class Lodes(Panel):
        name, title, size = "lodes", "Lodes", (300, 200)

        def draw(self, session, ui):
            session.capture = self.take

        def take(self, key):
            raise RuntimeError(f"what is {key}?")

    def install(app):
        app.add_panel(Lodes())
    """
    window = open_with(open_on, write_mod(tmp_path, python))
    frames(window)
    hit(window, key.K)
    frames(window)
    assert any("RuntimeError: what is K?" in text for text in said(window))


# ---- overlays


WRONG_OVERLAYS = {
    "raises": ("1 / 0", "ZeroDivisionError"),
    "leaves the program": ("raise SystemExit", "SystemExit"),
    "draws a wrong shape": ("canvas.lines([[1, 2, 3]], [[4, 5, 6]])", "ValueError"),
    "leaves another target": (
        """
        context = canvas.context
        self.target = context.framebuffer(color_attachments=[context.texture((64, 64), components=4)])
        self.target.use()
        context.enable_only()
        context.scissor = 0, 0, 10, 10
        raise ValueError("lost")
        """,
        "ValueError: lost",
    ),
    "loses the camera": ("canvas.camera = canvas.torus = None; 1 / 0", "ZeroDivisionError"),
}


@pytest.mark.parametrize("under", [False, True])
@pytest.mark.parametrize(("draw", "message"), list(WRONG_OVERLAYS.values()), ids=list(WRONG_OVERLAYS))
def test_an_overlay_that_fails_leaves_nothing_in_the_picture(
    open_on: OpenWindow, tmp_path: Path, draw: str, message: str, under: bool
) -> None:
    python = with_overlay(draw).replace("always = True", f"under = {under}")
    window = open_with(open_on, write_mod(tmp_path, python), ("palette",))
    window.session.selection.choose([1])  # an overlay that comes after it
    frames(window, 3)
    before = seen(window)
    window.session.toggle_overlay("lode.lines")
    assert (seen(window) == before).all()  # in the frame in which it fails, too
    frames(window)
    (warning,) = (text for text in said(window) if "stopped" in text)
    assert "lode.py:" in warning
    assert message in warning
    assert "overlay Lines" in warning
    window.session.messages.clear()
    frames(window)
    assert (seen(window) == before).all()


def test_an_overlay_that_leaves_another_target_without_failing_leaves_the_picture_whole(
    open_on: OpenWindow, tmp_path: Path
) -> None:
    draw = WRONG_OVERLAYS["leaves another target"][0].replace('raise ValueError("lost")', "pass")
    window = open_with(open_on, write_mod(tmp_path, with_overlay(draw)), ("palette",))
    plain = open_with(open_on, write_mod(tmp_path / "plain", with_overlay()), ("palette",))
    for each in (window, plain):
        frames(each, 3)
    assert (seen(window) == seen(plain)).all()
    assert not said(window)


# ---- tools


def test_a_tool_that_fails_is_put_down(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_with(open_on, write_mod(tmp_path, with_tool(press="raise KeyError('pole')")), ("palette",))
    click(window, "##tool lode.horseshoe")
    assert window.session.hand.tool.title == "Horseshoe"
    point(window, 500, 300)
    assert seen(window)[..., 0].max() > 200
    press(window, (500, 300), (520, 310))
    frames(window)
    assert window.session.hand.tool.name == "boid"
    assert "##tool lode.horseshoe" not in look(window).places
    (warning,) = (text for text in said(window) if "stopped" in text)
    assert "KeyError: pole (tool Horseshoe)" in warning
    before = window.simulation.world.table.size
    send(window, ("on_mouse_release", 520, 310, LEFT, 0))
    mouse_click(window, 500, 300)
    frames(window)
    assert window.simulation.world.table.size > before  # the hand places boids again


def test_a_preview_that_fails_leaves_nothing_in_the_picture(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_with(open_on, write_mod(tmp_path, with_tool(preview="1 / 0")), ("palette",))
    click(window, "##tool lode.horseshoe")
    point(window, 500, 300)
    frames(window)
    (warning,) = (text for text in said(window) if "stopped" in text)
    assert "ZeroDivisionError: division by zero (tool Horseshoe)" in warning


def test_what_a_tool_says_it_places_is_checked(open_on: OpenWindow, tmp_path: Path) -> None:
    tool = with_tool().replace("def press", "def prefabs(self, prefabs):\n        return 7\n\n    def press")
    window = open_with(open_on, write_mod(tmp_path, tool), ("palette",))
    click(window, "##tool lode.horseshoe")
    frames(window)
    assert not said(window)


@pytest.mark.parametrize(
    ("says", "depth"),
    [
        ("300, 200, 120", 120),
        ("[300, 200, 120]", 120),
        ("tuple(np.float32([300, 200, 120]))", 120),
        ("7", 250),
        ("(1, 2)", 250),
        ("0, 0, float('nan')", 250),
        ("0, 0, 10**400", 250),
        ("'abc'", 250),
    ],
)
def test_how_far_away_a_tool_says_it_works_is_checked(
    open_on: OpenWindow, tmp_path: Path, says: str, depth: float
) -> None:
    level = f"def level(self, session, pixel):\n        return {says}\n\n    def press"
    tool = "import numpy as np\n" + with_tool().replace("def press", level)
    folder = write_mod(tmp_path, tool)
    window = open_on(deep(drifting(at(300, 180))), (900, 640), panels=("palette",), library=named(folder))
    window.session.clock.paused = True
    click(window, "##tool lode.horseshoe")
    camera(window).look_from(0.0, 0.0)
    point(window, 500, 300)
    frames(window)
    assert not said(window)
    assert window.session.hand.spot(window.session).place[2] == pytest.approx(depth)


def test_its_tool_places_the_prefab_that_one_chooses(open_on: OpenWindow, tmp_path: Path) -> None:
    prefabs = "\n".join(f"[prefabs.{name}]\nPosition = {{}}\nGoal = {{}}" for name in ("north", "south"))
    python = f"""
def install(app):
    app.add_prefabs({prefabs!r})
    app.add_tool(Placing("pole", "Pole", "magnet", "Places a pole.", "Goal"))
"""
    window = open_with(open_on, write_mod(tmp_path, "from sandbox.api import Placing" + python), ("palette",))
    for name in ("south", "north"):
        click(window, "##tool lode.pole")
        click(window, "##prefab")
        click(window, f"{name}##prefab")
        mouse_click(window, 500, 300)
        frames(window)
        assert window.simulation.populations()[name] == 1


# ---- what is refused before it is there


WRONG_PARTS = {
    "app.add_panel(Panel)": "add_panel got the class Panel: make one of it: add_panel(Panel())",
    "app.add_panel(3)": "add_panel got the int 3: it takes a Panel",
    "app.add_panel(P())": "the panel P has no name: it must be a few words",
    "P.name = P.title = 'p'; app.add_panel(P())": "the panel P has no size",
    "P.name = P.title = 'p'; P.size = 3; app.add_panel(P())": "the panel P has size = 3: must be width and height",
    "P.name, P.title, P.size = 'a##b', 'p', (1, 1); app.add_panel(P())": "the panel P has name = 'a##b'",
    "P.name, P.title, P.size, P.side = 'p', 'p', (1, 1), 4; app.add_panel(P())": "the panel P has side = 4: must be",
    "P.name, P.title, P.size = 'palette', 'p', (1, 1); app.add_panel(P(), P())": "another panel is already called",
    "app.add_tool(T())": "the tool T has no name",
    "T.name = T.title = T.icon = T.help = 't'; T.cursor = 'paw'; app.add_tool(T())": "the tool T has cursor = 'paw'",
    "T.name = T.title = T.icon = T.help = 't'; T.count = -1; app.add_tool(T())": "the tool T has count = -1",
    "app.add_overlay(O())": "the overlay O has no name",
    "O.name = O.title = O.help = 'o'; O.keys = ('Hyper+G',); app.add_overlay(O())": "must be names of keys",
    "app.add_action(3)": "add_action got the int 3: it takes an Action",
    "app.add_action(Action('flip', 'Flip', 3))": "has do = 3: must be a function that gets the session",
    "app.add_action(Action('flip', 'Flip', print, ('ctrl k',)))": "must be names of keys",
    "app.add_action(Action('flip', 'Flip', print, menu='Flips'))": "has menu = 'Flips': must be one of File",
    "app.add_action(Action('flip', 'Flip', print, bar='top'))": "has bar = 'top': must be \"time\"",
    "app.add_file_kind(3)": "add_file_kind got the int 3: it takes a FileKind",
    "app.add_file_kind(FileKind('k', '.toml', print))": "has ending = '.toml': must be an ending like",
    "app.add_command(3)": "add_command got the int 3: it takes a function whose docstring says what it does",
    "O.name = property(lambda self: 1 / 0); app.add_overlay(O())": "reading name of the overlay O failed: ZeroDivision",
    "app.add_chart(3)": "add_chart got the int 3: it takes a MeasureChart",
}
EMPTY = """
from sandbox.api import FileKind

class P(Panel):
    def draw(self, session, ui):
        pass

class T(Tool):
    pass

class O(Overlay):
    def draw(self, canvas, session):
        pass

def install(app):
    {add}
"""


@pytest.mark.parametrize("add", WRONG_PARTS)
def test_a_part_that_lacks_something_is_refused_with_what_would_be_right(
    open_on: OpenWindow, tmp_path: Path, add: str
) -> None:
    window = open_with(open_on, write_mod(tmp_path, EMPTY.replace("{add}", add)), ("palette",))
    frames(window)
    assert any(WRONG_PARTS[add] in text for text in said(window)), said(window)


# ---- charts


def test_a_chart_of_a_mod_stands_below_the_others_while_the_mod_is_on(open_on: OpenWindow, tmp_path: Path) -> None:
    python = """
    from sandbox.api import Measures, MeasureChart

    class Pull(System):
        phase = Phase.MEASURE
        adds = (Measures,)
        reads = ("Position.x",)

        def run(self, world):
            measures = world.resource(Measures)
            if self.name in measures.wanted:
                measures.values["pull"] = 0.25

    def install(app):
        app.add_system(Pull)
        app.add_chart(MeasureChart("Magnetism", "pull", {"pull": "how it pulls"}, 1.0, "u/s²"))
    """
    window = open_with(open_on, write_mod(tmp_path, python), ("charts",))
    window.session.clock.paused = False
    frames(window, 20, 0.1)
    assert "Magnetism" in look(window).text
    assert "how it pulls" in look(window).text
    window.session.submit(SwitchMod("lode", False))
    frames(window, 3)
    assert "Magnetism" not in look(window).text
    assert not said(window)


# ---- whatever a panel does


CALLS = """
child("c") table("t",[None,40]) tabs("b") tab("i") tooltip() group() disabled() named("x") bold() larger(3)
plot("p",(-1,90)) coloured(text=(1,0,0,1)) styled(item_spacing=(30,30)) in_accent() text("x") button("b") button("")
slider("s",1.0,0,9) field("f","a") choice("o",["a","b"],"a") check_box("k",True) next_row() next_cell() beside()
folds("h") heading("h") leave("b") rule() progress(None) bars([(1,0,0,1)],4) to_here() text_at_the_right("x")
"""


@pytest.mark.verify
@pytest.mark.timeout(1800)
def test_no_order_of_calls_breaks_the_window(open_on: OpenWindow, tmp_path: Path) -> None:
    draw = f"""
        from pathlib import Path
        for call in Path({str(tmp_path / "calls")!r}).read_text().split():
            block = eval(f"ui.{{call}}")
            if hasattr(block, "__enter__"):
                block.__enter__()
        raise ValueError("done")
    """
    window = open_with(open_on, write_mod(tmp_path, with_panel(draw)), ("palette", "charts"))
    frames(window, 3)
    before = seen(window)
    random = np.random.default_rng(1)
    for number in range(500):
        calls = random.choice(CALLS.split(), random.integers(1, 10)).tolist()
        (tmp_path / "calls").write_text("\n".join(calls))
        window.session.submit(SwitchMod("lode", True))
        frames(window, 2)
        window.session.front("lode.lodes")
        frames(window, 3)
        assert window.simulation.mods.off == {"lode"}, calls
        assert "stopped" in said(window)[-1], calls
        window.session.messages.clear()
        frames(window, 1)
        assert (seen(window) == before).all(), (number, calls)
