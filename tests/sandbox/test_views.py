"""Where a camera looked is kept with a recording: few values, from which every tick of every branch is had again."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.design.scene import Scene
from sandbox.edit import SetParameter
from sandbox.files.read_recording import open_recording
from sandbox.files.write_recording import write_recording
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.past import views
from sandbox.past.branch import Branch
from sandbox.past.timeline import Timeline
from sandbox.past.views import OFTEN, Seen, SeenInSpace, Watch, seen_at
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

STEP = 60 // OFTEN  # ticks
HERE, THERE = Seen(100, 50, 200, 100), Seen(40, 20, 80, 40)


def begun() -> Timeline:
    return Timeline(Simulation(Scene("empty", settings=Settings(200, 100)), 1))


def take_over(timeline: Timeline, tick: int) -> None:
    """Act at a tick of the past: another branch begins."""
    timeline.seek(tick)
    timeline.simulation.submit(SetParameter("render", "colour", "speed" if tick % 2 else "heading"))
    timeline.step()


def watched(timeline: Timeline, *seen: Seen, watch: Watch | None = None) -> None:
    """A tick for each view, and a frame that shows it."""
    watch = watch or Watch()
    for each in seen:
        timeline.step()
        watch.note(timeline, each)


MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("rest"), st.integers(1, 40)),
        st.tuples(st.just("pan"), st.integers(1, 40)),
        st.tuples(st.just("jump"), st.integers(0, 200)),
        st.tuples(st.just("take over"), st.integers(0, 99)),
        st.tuples(st.just("look back"), st.integers(0, 99)),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(moves=MOVES)
def test_every_tick_of_every_branch_is_seen_as_it_was(moves: list[tuple[str, int]]) -> None:
    timeline, watch, x = begun(), Watch(), 0.0
    truth: dict[tuple[Branch, int], Seen] = {}

    def frame(ticks: int = 0) -> None:
        for _ in range(ticks):
            timeline.step()
        seen = Seen(x, 50, 200, 100)
        watch.note(timeline, seen)
        if not timeline.in_past and timeline.branch.owner(timeline.tick) is timeline.branch:
            truth[timeline.branch, timeline.tick] = seen

    frame()
    for move, amount in moves:
        if move in ("rest", "pan"):
            for _ in range(amount):
                x += move == "pan"
                frame(1)
        elif move == "jump":
            x = float(amount)
            frame()
        elif move == "take over":
            take_over(timeline, timeline.branch.last * amount // 100)
            frame()
        else:
            end = timeline.branch.last
            timeline.seek(end * amount // 100)
            x += 10
            frame()
            timeline.seek(end)
            x -= 10
            frame()
    for (branch, tick), seen in truth.items():
        found = seen_at(branch, tick)
        assert found is not None
        near = [truth.get((branch, tick + far), seen).x for far in range(-STEP, STEP + 1)]
        assert min(near) - 1e-6 <= found.x <= max(near) + 1e-6
    ticks = sum(branch.last - branch.at for branch in timeline.recording.branches)
    noted = sum(len(branch.views) for branch in timeline.recording.branches)
    assert noted <= 2 + 2 * len(timeline.recording.branches) + 2 * ticks / STEP
    timeline.close()


def test_an_eye_in_space_turns_on_the_shortest_way_and_jumps_into_a_head() -> None:
    timeline = begun()
    before, after = SeenInSpace(10, 50, 0, 3.1, 0.5, 400), SeenInSpace(190, 50, 20, -3.1, 0.3, 300)
    rider = SeenInSpace(9, 9, 9, 0, 0, 0)
    timeline.branch.views |= {10: before, 20: after, 30: rider, 40: HERE}
    between = seen_at(timeline.branch, 15, (200, 100, 90))
    assert between == pytest.approx(SeenInSpace(0, 50, 10, math.pi, 0.4, 350))
    assert [seen_at(timeline.branch, tick) for tick in (29.9, 30, 39)] == [after, rider, rider]
    timeline.close()


def test_a_recording_holds_views_of_a_world_that_has_depth_for_a_while(tmp_path: Path) -> None:
    timeline = begun()
    high = SeenInSpace(0.5, 0.25, -3, -7.5, math.pi / 2, 64)
    rider = high._replace(distance=0.0)
    watched(timeline, HERE, high, *[rider] * 10, THERE)
    write_recording(timeline, tmp_path / "past.boids")
    timeline.close()
    again = open_recording(tmp_path / "past.boids", NO_MODS)
    found = again.recording.branches[0].views
    assert [*found] == [1, 2, 8, 12, 13]
    assert [*found.values()] == [HERE, *map(pytest.approx, (high, rider, rider)), THERE]
    again.close()


def test_a_view_that_rests_is_noted_twice_and_one_that_moves_ten_times_a_second() -> None:
    timeline = begun()
    moving = [Seen(100 - n, 50, 200, 100) for n in range(1, 61)]
    watched(timeline, *[HERE] * 100, *moving, *[moving[-1]] * 100)
    assert [*timeline.branch.views] == [1, 100, *range(106, 161, 6)]
    assert seen_at(timeline.branch, 60) == HERE
    assert seen_at(timeline.branch, 133.5) == pytest.approx(Seen(66.5, 50, 200, 100))
    timeline.close()


def test_a_branch_has_its_own_views_and_leaves_those_of_its_parent() -> None:
    timeline = begun()
    watched(timeline, *[HERE] * 30, *[THERE] * 30)
    parent = timeline.branch
    before = [seen_at(parent, tick) for tick in range(61)]
    take_over(timeline, 33)
    watched(timeline, *[Seen(1, 2, 3, 4)] * 20)
    assert timeline.branch is not parent
    assert [seen_at(parent, tick) for tick in range(61)] == before
    assert [seen_at(timeline.branch, tick) for tick in range(34)] == before[:34]
    assert [seen_at(timeline.branch, tick) for tick in range(34, 50)] == [Seen(1, 2, 3, 4)] * 16
    timeline.close()


def test_who_looks_back_changes_nothing() -> None:
    timeline, watch = begun(), Watch()
    watched(timeline, *[HERE] * 30, watch=watch)
    for tick in (1, 20):
        timeline.seek(tick)
        watch.note(timeline, THERE)
        watch.note(timeline, HERE)
    timeline.seek(1)
    watch.note(timeline, THERE)
    timeline.seek(30)
    watched(timeline, *[THERE] * 10, watch=watch)
    assert [seen_at(timeline.branch, tick) for tick in range(1, 31)] == [HERE] * 30
    timeline.close()


def test_on_a_torus_the_way_leads_over_the_edge() -> None:
    branch = Branch(None, 0, 10, views={0: Seen(190, 90, 20, 10), 10: Seen(30, 10, 20, 10)})
    assert seen_at(branch, 5, torus=(200.0, 100.0)) == pytest.approx(Seen(210, 100, 20, 10))
    assert seen_at(branch, 5) == pytest.approx(Seen(110, 50, 20, 10))


def test_too_many_are_thinned_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST", 40)
    timeline = begun()
    watched(timeline, *(Seen(n % 7, 50, 200, 100) for n in range(1000)))
    assert 20 <= len(timeline.branch.views) <= 41
    assert next(iter(timeline.branch.views)) == 1
    timeline.close()


def test_a_file_keeps_them_and_the_next_session_goes_on(tmp_path: Path) -> None:
    timeline = begun()
    watched(timeline, *[HERE] * 30, *[THERE] * 30)
    take_over(timeline, 40)
    watched(timeline, *[HERE] * 30)
    write_recording(timeline, tmp_path / "a.boids")
    again = open_recording(tmp_path / "a.boids", NO_MODS)
    for one, other in zip(timeline.recording.branches, again.recording.branches, strict=True):
        assert one.views
        assert other.views == one.views
    again.seek(again.branch.last)
    last = again.tick
    watched(again, *[THERE] * 30)
    assert seen_at(again.branch, last) == HERE
    assert seen_at(again.branch, last + 20) == THERE
    timeline.close()
    again.close()


def test_without_any_there_is_no_such_member(tmp_path: Path) -> None:
    timeline = begun()
    timeline.step()
    write_recording(timeline, tmp_path / "a.boids")
    again = open_recording(tmp_path / "a.boids", NO_MODS)
    assert seen_at(again.branch, 1) is None
    assert b"views.bin" not in (tmp_path / "a.boids").read_bytes()
    timeline.close()
    again.close()
