"""The profiler tells what each system costs, and disables it."""

from __future__ import annotations

import pytest

from sandbox.app.measuring.profile import SECOND, Average
from sandbox.design.scene import Entry
from systems.engine.system import Phase

from .conftest import OpenWindow, drifting
from .panels import panel, scroll_to
from .widgets import click, look


def test_a_mean_is_that_of_the_last_second_and_stays_while_nothing_happens() -> None:
    average = Average()
    for n in range(30):
        means = average.note(n * SECOND // 10, 6 * n, {"one": 6 * n * (1_000_000 if n < 15 else 2_000_000), "other": 0})
        assert bool(means) is (n > 0)
    means = average.note(3 * SECOND, 6 * 29 + 6, {"one": 348_000_000 + 12_000_000, "other": 0})
    assert means == {"one": pytest.approx(2.0), "other": 0}
    assert average.note(9 * SECOND, 6 * 29 + 6, {"one": 999_000_000_000, "other": 0}) == means


def test_systems_stand_in_the_order_of_the_pipeline(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 50)), (1280, 720), panels=["profiler"])
    profile = panel(window, "profiler").profile
    for _ in range(5):
        window.on_update(0.1)
        window.on_draw()
        profile._sampled_at = 0  # as if time had passed
    in_tick = [s for s in window.simulation.pipeline.systems if s.phase is not Phase.RENDER]
    assert [name for name in profile.systems if name != "render"][: len(in_tick)] == [s.name for s in in_tick]
    assert profile.systems["movement"] > 0
    assert profile.stages["draw"] > 0
    assert profile.stages["panels"] > 0
    seen = look(window)
    rows = [label for label in seen.places if "##" in label]
    shown = [label.split("##")[1] for label in rows]
    assert shown == [s.name for s in in_tick if not s.essential][: len(shown)]
    assert len(shown) > 10
    assert {"A tick", "SENSE", "STEER"} <= set(seen.texts)


def test_the_slowest_stand_first_when_asked(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 50)), (1280, 720), panels=["profiler"])
    profile = panel(window, "profiler").profile
    click(window, "Slowest first")
    profile.watch = lambda *seen: None
    profile.systems = {"wrap": 3.0, "movement": 5.0, "flocking": 4.0}
    rows = [label.split("##")[1] for label in look(window).places if "##" in label]
    assert rows[:3] == ["movement", "flocking", "wrap"]


def test_a_switch_is_a_command_and_an_essential_system_has_none(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 50)), (1280, 720), panels=["profiler"])
    systems = window.simulation.pipeline.by_name
    click(window, "flocking##flocking")
    window.on_update(0.1)
    assert not systems["flocking"].enabled
    click(window, "flocking##flocking")
    window.on_update(0.1)
    assert systems["flocking"].enabled
    seen = look(window)
    assert "spatial hash" in seen.texts
    assert not [label for label in seen.places if "spatial" in label]


def test_every_system_and_every_stage_of_a_frame_has_a_line(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 50)), (1280, 720), panels=["profiler"])
    for _ in range(3):
        window.on_update(0.1)
        window.on_draw()
        panel(window, "profiler").profile._sampled_at = 0  # as if time had passed
    scroll_to(window, "render", over="flee##flee")
    assert "panels" in look(window).texts
