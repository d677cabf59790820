"""The picture of Explain in a world with depth: from every side it shows the animal, whom it sees, and how far."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sandbox.app.overlays.rule_colours import rule_colour
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene

from .conftest import OpenWindow, screen, send
from .test_explain_panel import SIZE, four, labelled
from .widgets import click, look

pytestmark = pytest.mark.painted

GROUND = 20, 23, 42  # of the picture
MIDDLE = 300.0, 200.0, 200.0
FRONT, ALONG = True, False  # whether the button was pressed
Picture = NDArray[np.int64]


def alone(velocity: tuple[float, float, float], *others: tuple[float, float, float], backdrop: str = "") -> Scene:
    """One that flies through a world with depth, and others that fly beside it, by their ways from it."""
    scene = four()
    scene.settings.depth = 400.0
    scene.settings.backdrop = backdrop or scene.settings.backdrop
    places = [np.add(MIDDLE, way).tolist() for way in ((0, 0, 0), *others)]
    scene.entries = [Entry("boid", at=tuple(place), velocity=velocity) for place in places]
    return scene


def picture(open_on: OpenWindow, scene: Scene, view: bool) -> Picture:
    """The picture of the first step: (height, width, 3), the first row lowest."""
    window = open_on(scene, SIZE, panels=["explain"])
    window.session.clock.paused = True
    window.session.selection.choose([1])
    look(window)
    if view:
        click(window, labelled(window, "##up"))
    return cut_out(window)


def cut_out(window: FlockWindow) -> Picture:
    window.on_draw()
    shown = screen(window).astype(int)
    lines, columns = np.nonzero((shown == GROUND).all(axis=2))
    return shown[lines.min() : lines.max() + 1, columns.min() : columns.max() + 1]


def white(shown: Picture) -> NDArray[np.int64]:
    """Where it is white, by columns and lines from its middle; without the words in its corners."""
    lines, columns = np.nonzero(shown.min(axis=2) > 215)
    high, wide = shown.shape[:2]
    return np.column_stack([columns - wide // 2, lines - high // 2])


@pytest.mark.parametrize("view", [ALONG, FRONT])
@pytest.mark.parametrize("velocity", [(0, 0, -100), (0, 0, 100), (100, 0, 0), (0, 100, 0), (50, -60, 62)])
@pytest.mark.parametrize("backdrop", ["sea", "meadow"])
def test_from_every_side_the_animal_and_how_far_it_sees_are_visible(
    open_on: OpenWindow, velocity: tuple[float, float, float], view: bool, backdrop: str
) -> None:
    shown = picture(open_on, alone(velocity, backdrop=backdrop), view)
    high, wide = shown.shape[:2]
    lines, columns = np.nonzero(np.abs(shown - GROUND).max(axis=2) > 8)
    disc = np.hypot(columns - wide / 2, lines - high / 2) < 0.9 * min(high, wide) / 2
    assert disc.sum() > 0.9 * np.pi * (0.86 * min(high, wide) / 2) ** 2
    animal = white(shown)
    assert (np.hypot(*animal.T) < 15).sum() > 60


@pytest.mark.parametrize(
    ("velocity", "view", "way", "seen"),
    [
        ((100, 0, 0), ALONG, (0, 15, 25), (25, 15)),
        ((100, 0, 0), FRONT, (25, 15, 0), (25, 15)),
        ((0, 0, -100), ALONG, (-25, 15, 0), (-25, 15)),
        ((0, 0, 100), ALONG, (-25, 15, 0), (25, 15)),
        ((0, 0, 100), FRONT, (-25, 15, 0), (-25, 15)),
    ],
)
def test_the_picture_looks_along_the_heading_or_by_the_button_from_the_front(
    open_on: OpenWindow,
    velocity: tuple[float, float, float],
    view: bool,
    way: tuple[float, float, float],
    seen: tuple[float, float],
) -> None:
    shown = picture(open_on, alone(velocity, way, backdrop="sea"), view)
    radius = 0.86 * min(shown.shape[:2]) / 2
    found = white(shown)
    neighbour = found[np.hypot(*found.T) > 18].mean(axis=0)
    assert neighbour == pytest.approx(np.array(seen) * radius / 50, abs=3)


def test_the_goal_that_it_seeks_is_marked_in_the_world_and_in_the_picture(open_on: OpenWindow) -> None:
    """So weak a goal that its arrow does not reach it."""
    goal = Entry("goal", at=(140, 230), values={"Goal.strength": 5.0})
    window = open_on(four(goal), SIZE, panels=["explain"])
    window.session.clock.paused = True
    window.session.selection.choose([1])
    yellow = np.array(rule_colour("goals"))

    def marked() -> tuple[int, int]:
        """How many pixels around the goal, in the world and in the picture, are as yellow as the rule."""
        panel, world = cut_out(window), screen(window).astype(int)
        (there,) = window.session.camera.project(np.array([goal.at]))
        high, wide = panel.shape[:2]
        in_panel = np.array([wide, high]) / 2 + 0.86 * min(high, wide) / 2 * np.array([0.8, 0.6])
        found = []
        for shown, (x, y) in ((world, np.rint(there).astype(int)), (panel, np.rint(in_panel).astype(int))):
            near = shown[y - 12 : y + 12, x - 12 : x + 12]
            found.append(int((np.abs(near - yellow).max(axis=2) < 40).sum()))
        return found[0], found[1]

    click(window, "Cohesion##step")
    assert marked() == (0, 0)
    click(window, "Goals##step")
    assert "It steers to goal 6, 50 u away" in look(window).text
    assert min(marked()) > 10


@pytest.mark.parametrize(
    ("depth", "words"), [(0.0, ("Heading up", "North up")), (400.0, ("From the front", "Along its heading"))]
)
def test_the_button_says_what_it_would_show(open_on: OpenWindow, depth: float, words: tuple[str, str]) -> None:
    scene = four()
    scene.settings.depth = depth
    window = open_on(scene, SIZE, panels=["explain"])
    window.session.clock.paused = True
    window.session.selection.choose([1])
    for tip in words:
        send(window, ("on_mouse_motion", *look(window).places[labelled(window, "##up")], 0, 0))
        for _ in range(60):  # resting there
            window.on_update(0.02)
            window.on_draw()
        assert set(words) & set(look(window).texts) == {tip}
        click(window, labelled(window, "##up"))
