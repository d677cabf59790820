"""The panel Pipeline: what each system costs, takes and gives, its switch and parameters, and who did this to whom."""

from __future__ import annotations

from pathlib import Path

import pytest
from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.measuring.profile import SECOND, Average
from sandbox.app.panels.pipeline import PipelinePanel
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Undo
from sandbox.scenes.reader import read_scene
from systems.engine.flows import flows
from systems.engine.system import Phase
from tests.planted import FAULTS, plant

from .conftest import OpenWindow, at, drifting, send
from .fields import type_into
from .modded import named
from .panels import panel
from .playing import arrive, run
from .widgets import Seen, click, look

LARGE = 1280, 1600
BACK = f"{icons.ICON_FA_BACKWARD_STEP}##tick before"


def opened(open_on: OpenWindow, size: tuple[int, int] = LARGE) -> FlockWindow:
    window = open_on(drifting(Entry("red", 50)), size, panels=["pipeline"])
    window.on_update(0.1)
    return window


def told(seen: Seen, system: str) -> list[str]:
    """What a box says below the name of its system: the texts until the next box, which begins with its time."""
    begin = seen.texts.index(system) + 1
    rest = seen.texts[begin:]
    end = next((k for k, text in enumerate(rest) if text.replace(".", "").isdigit() or "ms" in text), len(rest))
    return [text.replace("\n", " ") for text in rest[:end] if text != icons.ICON_FA_LOCK]


def test_a_mean_is_that_of_the_last_second_and_stays_while_nothing_happens() -> None:
    average = Average()
    for n in range(30):
        means = average.note(n * SECOND // 10, 6 * n, {"one": 6 * n * (1_000_000 if n < 15 else 2_000_000), "other": 0})
        assert bool(means) is (n > 0)
    means = average.note(3 * SECOND, 6 * 29 + 6, {"one": 348_000_000 + 12_000_000, "other": 0})
    assert means == {"one": pytest.approx(2.0), "other": 0}
    assert average.note(9 * SECOND, 6 * 29 + 6, {"one": 999_000_000_000, "other": 0}) == means


def test_each_system_and_each_stage_of_a_frame_has_a_time(open_on: OpenWindow) -> None:
    window = opened(open_on)
    profile = panel(window, "pipeline").profile
    for _ in range(5):
        window.on_update(0.1)
        window.on_draw()
        profile._sampled_at = 0  # as if time had passed
    in_tick = [s for s in window.simulation.pipeline.systems if s.phase is not Phase.RENDER]
    assert [name for name in profile.systems if name != "render"][: len(in_tick)] == [s.name for s in in_tick]
    assert profile.systems["movement"] > 0
    assert profile.stages["draw"] > 0
    assert {"draw", "panels", "obstacle avoidance"} <= set(look(window).texts)


@pytest.mark.parametrize(("wide", "count"), [(2000, 8), (960, 4), (500, 2), (300, 1)])
def test_phases_are_columns_and_where_there_is_no_room_for_all_the_rest_stands_below(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch, wide: int, count: int
) -> None:
    monkeypatch.setattr(PipelinePanel, "size", (wide, 3000))
    window = opened(open_on, (2600, 2600))
    boxes = look(window).boxes
    before = None
    for system in window.simulation.pipeline.systems:
        left, low, _, top = boxes[f"##box {system.name}"]
        if before is not None and before[0] is system.phase:
            assert (left, top) == (before[1], pytest.approx(before[2] - 5))
        before = system.phase, left, low
    assert len({boxes[f"##box {system.name}"][0] for system in window.simulation.pipeline.systems}) == count
    placed = [box for label, box in boxes.items() if label.startswith("##box")]
    for k, (left, low, right, high) in enumerate(placed):
        assert all(right <= a or c <= left or high <= b or d <= low for a, b, c, d in placed[k + 1 :])  # none overlap


def test_a_switch_is_a_command_and_what_the_world_needs_has_none(open_on: OpenWindow) -> None:
    window = opened(open_on)
    systems = window.simulation.pipeline.by_name
    click(window, "##flocking")
    window.on_update(0.1)
    assert not systems["flocking"].enabled
    window.session.submit(Undo())
    window.on_update(0.1)
    assert systems["flocking"].enabled
    assert systems["movement"].enabled
    seen = look(window)
    assert "spatial hash" in seen.texts
    assert "##spatial_hash" not in seen.places


def test_a_parameter_of_the_chosen_system_is_set_and_all_are_reset(open_on: OpenWindow) -> None:
    window = opened(open_on)
    commit = window.simulation.pipeline.by_name["commit"]
    usual = commit.reorder_every
    click(window, "##box commit")
    type_into(window, "##commit/Commit.reorder_every", "17")
    assert commit.reorder_every == 17
    click(window, "##wander")
    window.on_update(0.1)
    assert not window.simulation.pipeline.by_name["wander"].enabled
    click(window, f"{icons.ICON_FA_ROTATE_LEFT} Reset##systems")
    window.on_update(0.1)
    assert commit.reorder_every == usual
    assert window.simulation.pipeline.by_name["wander"].enabled


def test_under_the_mouse_a_box_says_what_it_takes_from_whom_and_gives_to_whom(open_on: OpenWindow) -> None:
    window = opened(open_on)
    send(window, ("on_mouse_motion", *look(window).places["##box movement"], 0, 0))
    for _ in range(60):  # until the tooltip is there
        window.on_update(0.05)
        window.on_draw()
    text = look(window).text
    for flow in flows(window.simulation.pipeline.systems):
        if flow.taker == "movement":
            assert f"← {flow.giver.replace('_', ' ')}: {', '.join(flow.what)}" in text
    assert "→ bounce: Position, Velocity" in text


def test_it_says_of_the_selected_one_what_each_system_changes_of_it(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200, (20, -10)), at(305, 200)), LARGE, panels=["pipeline"])
    window.session.clock.paused = True
    assert "Who did this?" in look(window).text
    window.session.selection.choose([1])
    seen = look(window)
    assert "What each does to red 1 from tick 0 to 1." in seen.texts
    assert told(seen, "movement") == ["Position +2, -1"]
    assert told(seen, "flocking") == []
    window.session.act("one_tick")
    window.on_update(0.1)
    assert "What each does to red 1 from tick 1 to 2." in look(window).texts
    window.session.selection.choose([1, 2])
    assert "Who did this?" in look(window).text


def test_after_something_has_happened_a_button_leads_to_the_tick_before_it(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200, (20, -10))), LARGE, panels=["pipeline"])
    window.session.clock.paused = True
    window.session.selection.choose([1])
    click(window, BACK)  # before the first tick is none
    arrive(window)
    assert "What each does to red 1 from tick 0 to 1." in look(window).texts
    run(window, 3)
    assert "What each does to red 1 from tick 3 to 4." in look(window).texts
    click(window, BACK)
    arrive(window)
    assert window.simulation.tick == 2
    assert window.session.clock.paused
    seen = look(window)
    assert "What each does to red 1 from tick 2 to 3." in seen.texts
    assert told(seen, "movement") == ["Position +2, -1"]
    send(window, ("on_mouse_motion", *seen.places[BACK], 0, 0))
    for _ in range(60):  # until the tooltip is there
        window.on_update(0.05)
        window.on_draw()
    assert "To see who did what has just happened, pause and go one tick back (Left)" in look(window).text


@pytest.mark.parametrize("mod", FAULTS)
@pytest.mark.parametrize("size", [(800, 600), (800, 600, 400)], ids=["flat", "deep"])
def test_a_planted_fault_is_seen_at_its_system(
    open_on: OpenWindow, tmp_path: Path, mod: str, size: tuple[float, ...]
) -> None:
    file, mods = plant(tmp_path, size)
    library = named(*mods, trust=tmp_path / "mods.toml")
    library.look()
    window = open_on(read_scene(file, library), LARGE, panels=["pipeline"], library=library)
    window.session.clock.paused = True
    system, tick, key = FAULTS[mod]
    window.session.selection.choose([3])
    for _ in range(tick):
        window.session.act("one_tick")
        window.on_update(0.1)
    (what,) = told(look(window), system)
    assert what.startswith(f"{key} ")
    for other, (name, *_) in FAULTS.items():
        assert told(look(window), name) == ([what] if other == mod else [])
    assert not window.simulation.mods.faults
