"""What a hand has just placed is ringed for some seconds, so that it is found among others like it."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import key

from components.store.prefab import Prefab
from sandbox.app.drawing.picture import drawn
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene

from .conftest import OpenWindow, at, living, pixels, send
from .mouse import click, drag, hit, point, take, with_tools


def with_slow_ones(*entries: Entry) -> Scene:
    """A scene whose animals stay in view."""
    scene = with_tools(*entries)
    for name in ("red", "predator"):
        own = scene.prefabs[name].components
        scene.prefabs[name] = Prefab(name, {**own, "Motion": {"min_speed": 0.0, "max_speed": 20.0}})
    return scene


def ringed(window: FlockWindow) -> list[bool]:
    """By entity: whether there is gold all around it, where the mouse does not point."""
    point(window, 2, 2)
    picture = pixels(window).astype(int)
    gold = (picture[..., 0] > 200) & (picture[..., 1] > 150) & (picture[..., 2] < 140)
    high, wide = gold.shape
    found = []
    for place in living(window):
        x, y = map(round, window.session.camera.project(place))
        near = np.argwhere(gold[max(y - 26, 0) : min(y + 27, high), max(x - 26, 0) : min(x + 27, wide)])
        around = {(int(row > 26), int(column > 26)) for row, column in near.tolist()}
        found.append(len(around) == 4)
    return found


def pass_seconds(window: FlockWindow, seconds: float) -> None:
    for _ in range(round(seconds * 10)):
        window.on_update(0.1)


@pytest.mark.parametrize("paused", [False, True])
def test_a_predator_among_others_is_ringed_for_some_seconds_wherever_it_goes(open_on: OpenWindow, paused: bool) -> None:
    window = open_on(with_slow_ones(at(100, 100, (10, 0), "predator"), at(500, 100, (10, 0), "predator")))
    window.session.clock.paused = paused
    take(window, "predator")
    click(window, 300, 200)
    seen = []
    for _ in range(8):
        pass_seconds(window, 1)
        seen.append(ringed(window))
    assert seen[:4] == [[False, False, True]] * 4
    assert seen[5:] == [[False, False, False]] * 3


def test_what_is_undone_has_no_ring_and_what_is_placed_next_has_one_of_its_own(open_on: OpenWindow) -> None:
    window = open_on(with_slow_ones())
    take(window, "predator")
    click(window, 100, 100)
    pass_seconds(window, 4.5)
    click(window, 300, 200)
    pass_seconds(window, 1)
    assert ringed(window) == [False, True]
    send(window, ("on_key_press", key.Z, key.MOD_CTRL), ("on_key_release", key.Z, key.MOD_CTRL))
    pass_seconds(window, 0.1)
    assert ringed(window) == [False]


def test_who_paints_hundreds_sees_them_without_rings(open_on: OpenWindow) -> None:
    window = open_on(with_slow_ones())
    drag(window, (100, 180), *[(x, 180) for x in range(101, 501, 7)], (500, 180))
    pass_seconds(window, 0.1)
    assert len(living(window)) > 100
    assert not any(ringed(window))


def test_what_stays_where_the_hand_has_put_it_needs_no_ring(open_on: OpenWindow) -> None:
    window = open_on(with_slow_ones())
    take(window, "obstacle")
    click(window, 300, 200)
    pass_seconds(window, 0.5)
    assert ringed(window) == [False]


@pytest.mark.painted
def test_pictures_are_without_rings(open_on: OpenWindow) -> None:
    window = open_on(with_slow_ones())
    take(window, "predator")
    click(window, 300, 200)
    send(window, ("on_mouse_leave", 0, 0))
    window.session.clock.paused = True
    pass_seconds(window, 0.5)
    with_rings, without = (
        np.asarray(drawn(window.painter, window.session.camera, 1.0, 1.0, *layers)).astype(int)
        for layers in (window.overlays.layers(window.session, in_hand=in_hand) for in_hand in (True, False))
    )
    changed = np.argwhere(np.abs(with_rings - without).max(-1) > 60)
    x, y = living(window)[0]
    assert np.abs(changed - (360 - y, x)).max() < 26


@pytest.mark.parametrize("edges", ["wrap", "turn"])
def test_it_is_told_once_how_to_follow_a_predator_and_the_key_finds_it_wherever_it_has_gone(
    open_on: OpenWindow, edges: str
) -> None:
    told = "Follow the one that you have placed (F)"
    scene = with_slow_ones(at(300, 200), at(100, 100, (10, 0), "predator"))
    scene.settings.edges = edges
    window = open_on(scene)
    take(window, "predator")
    for _ in range(2):
        click(window, 300, 200)
        pass_seconds(window, 1)
    assert [message.text for message in window.session.messages.log].count(told) == 1
    assert window.session.messages.newest == told
    last = int(window.simulation.world.table.serial[: len(living(window))].max())
    hit(window, key.F)
    assert window.session.view.following
    assert window.session.selection.serials == (last,)


def test_who_has_placed_a_handful_or_nothing_lately_follows_the_one_at_the_pointer(open_on: OpenWindow) -> None:
    window = open_on(with_slow_ones(at(300, 200), at(500, 300)))
    take(window, "boid")
    click(window, 100, 100)
    pass_seconds(window, 6)
    assert window.session.messages.newest == ""
    point(window, 500, 300)
    hit(window, key.F)
    assert window.session.selection.serials == (2,)
