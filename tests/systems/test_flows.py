"""What flows between systems: from the last who wrote, and all who added since, to those who read or write on."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.flows import flows
from systems.engine.settings import Settings
from systems.engine.system import Phase, System

NAMES = "Motion.acceleration", "Energy.level", "Life.age", Settings
TOUCHED = st.lists(st.sampled_from(NAMES), max_size=2, unique=True).map(tuple)


def system(name: str, **declared: object) -> System:
    def run(self: System, world: World) -> None:
        pass

    return type(name, (System,), {"phase": Phase.STEER, "run": run, "name": name, **declared})()


def found(*systems: System) -> dict[tuple[str, str], tuple[str, ...]]:
    return {(flow.giver, flow.taker): flow.what for flow in flows(systems)}


def test_who_reads_takes_from_the_last_who_wrote() -> None:
    one, other = system("one", writes=(Velocity,)), system("other", writes=(Velocity,))
    assert found(one, other, system("reads", reads=("Velocity.x",))) == {
        ("one", "other"): ("Velocity",),
        ("other", "reads"): ("Velocity.x",),
    }


def test_and_from_all_who_added_since() -> None:
    adds = [system(name, adds=("Motion.acceleration",)) for name in ("one", "other")]
    assert found(system("zero", writes=("Motion.acceleration",)), *adds, system("moves", reads=(Motion,))) == {
        (giver, "moves"): ("Motion.acceleration",) for giver in ("zero", "one", "other")
    }


def test_all_fields_of_a_component_are_called_by_its_name_and_others_one_by_one() -> None:
    writes = system("writes", writes=("Position.x", "Position.y", "Position.z", "Motion.drag"))
    assert found(writes, system("reads", reads=(Position, Motion))) == {
        ("writes", "reads"): ("Position", "Motion.drag")
    }


def test_what_is_only_added_to_is_taken_by_nobody() -> None:
    assert found(system("one", adds=(Velocity,)), system("other", adds=(Velocity,))) == {}


@st.composite
def pipelines(draw: st.DrawFn) -> list[System]:
    count = draw(st.integers(0, 8))
    return [system(f"s{k}", reads=draw(TOUCHED), writes=draw(TOUCHED), adds=draw(TOUCHED)) for k in range(count)]


def plainly(systems: Sequence[System]) -> dict[tuple[str, str], set[object]]:
    """The definition: who changed it, and nobody wrote it in between."""
    pairs: dict[tuple[str, str], set[object]] = {}
    for k, giver in enumerate(systems):
        for n, taker in enumerate(systems[k + 1 :], k + 1):
            for what in {*giver.writes, *giver.adds} & {*taker.reads, *taker.writes}:
                if not any(what in between.writes for between in systems[k + 1 : n]):
                    key = what if isinstance(what, str) else what.__name__
                    pairs.setdefault((giver.name, taker.name), set()).add(key)
    return pairs


def reached(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """All pairs of which one leads to the other."""
    every = set(pairs)
    while more := {(a, d) for a, b in every for c, d in every if b == c} - every:
        every |= more
    return every


@given(pipelines())
def test_flows_are_those_of_the_definition(systems: list[System]) -> None:
    assert {pair: set(what) for pair, what in found(*systems).items()} == plainly(systems)


@given(pipelines())
def test_those_not_implied_are_the_fewest_that_lead_everywhere(systems: list[System]) -> None:
    every = {(flow.giver, flow.taker) for flow in flows(systems)}
    shown = {(flow.giver, flow.taker) for flow in flows(systems) if not flow.implied}
    assert reached(shown) == reached(every)
    assert all(pair not in reached(shown - {pair}) for pair in shown)
