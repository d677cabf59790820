"""Births, deaths and catches of a tick: who, by whom, of what kind and where, for mods and for what draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from sandbox.edit import Despawn
from sandbox.mods.load.loading import LoadError
from sandbox.past.timeline import Timeline
from systems.engine.events import REMEMBERED, Events
from systems.engine.ledger import Ledger
from tests.mods import write_mod

MEADOW = """
format = 1
name = "meadow"
[world]
size = [300, 200]
[[spawn]]
prefab = "sheep"
count = 60
Energy = { level = { mean = 80, sd = 15 } }
Life = { age = { mean = 60, sd = 30 } }
[[spawn]]
prefab = "wolf"
count = 5
"""
HOUNDS = MEADOW.replace("sheep", "ewe").replace("wolf", "hound")
TROPHIES = """
import numpy as np
from sandbox.api import *

@component
class Trophies:
    catches: int = integer(0, "", 0, 1000, "how many it caught")
    young: int = integer(0, "", 0, 1000, "how many it has had")

class Counting(System):
    phase = Phase.PHASE
    after = ("commit",)
    reads = (Events,)
    writes = (Trophies, "Look.size")

    def run(self, world):
        events, table = world.resource(Events), world.table
        for happened, key in ((events.catches, "Trophies.catches"), (events.births, "Trophies.young")):
            rows = table.rows_of(happened.by)
            np.add.at(table.columns[key], rows[rows >= 0], 1)
        table.columns["Look.size"][table.living(events.births.serials)] = 3
        if len(events.deaths):
            world.spawn("ghost", len(events.deaths), {
                "Position.x": events.deaths.places[:, 0], "Position.y": events.deaths.places[:, 1]})

def install(app):
    app.add_component(Trophies)
    app.add_system(Counting)
    app.add_prefabs('''
[prefabs.ghost]
Position = {}
Look = {}
[prefabs.ewe]
extends = "sheep"
Trophies = {}
[prefabs.hound]
extends = "wolf"
Predator = { hunts = ["ewe"] }
Trophies = {}
''')
"""


def test_they_are_those_who_came_and_went_with_parents_hunters_kinds_and_places() -> None:
    with sandbox.loads(MEADOW) as sim:
        world, table, events = sim.world, sim.world.table, sim.world.resource(Events)
        for _ in range(400):
            before = set(sim.serials.tolist())
            prefab = dict(zip(table.serial[: table.size].tolist(), table.prefab[: table.size].tolist(), strict=True))
            sim.step()
            after = set(sim.serials.tolist())
            assert events.births.serials.tolist() == sorted(after - before)
            assert events.deaths.serials.tolist() == sorted(before - after)
            assert events.deaths.prefabs.tolist() == [prefab[dead] for dead in events.deaths.serials.tolist()]
            assert set(events.births.by.tolist()) <= before
            if len(events.births):
                rows = table.living(events.births.serials)
                assert (events.births.places == table.stacked("Position", rows)).all()
                assert (events.births.prefabs == table.prefab[rows]).all()
            for hunter, prey, place in zip(
                *(vars(events.catches)[name] for name in ("by", "serials", "places")), strict=True
            ):
                assert prefab[hunter] == world.prefab_index("wolf")
                assert prefab[prey] == world.prefab_index("sheep")
                assert np.isfinite(place).all()
        recent, ledger = events.recent, world.resource(Ledger)
        assert sum(len(tick.births) for tick in recent) == ledger.births > 5
        assert sum(len(tick.catches) for tick in recent) == ledger.catches > 3
        assert sum(len(tick.deaths) for tick in recent) == ledger.deaths > ledger.catches


def test_what_people_place_and_remove_is_none() -> None:
    with sandbox.new() as sim:
        sheep = sim.spawn("sheep", 3, at=(50, 50))
        sim.step()
        sim.despawn(sheep[:1])
        sim.step()
        assert not len(sim.world.resource(Events).recent)


def test_after_going_back_there_are_none_until_the_next_tick_and_then_the_same() -> None:
    with sandbox.loads(MEADOW) as sim:
        timeline, events = Timeline(sim.simulation), sim.world.resource(Events)
        seen = {}
        for _ in range(200):
            timeline.step()
            seen[timeline.tick] = events.births.serials.tolist(), events.deaths.serials.tolist()
        tick = max(tick for tick, happened in seen.items() if any(happened))
        timeline.seek(tick // 120 * 60)
        assert not len(events.births)
        assert not len(events.deaths)
        assert [known.tick for known in events.recent] == [t - 1 for t in seen if any(seen[t]) and t <= timeline.tick]
        timeline.seek(tick)
        assert (events.births.serials.tolist(), events.deaths.serials.tolist()) == seen[tick]
        first = timeline.branch
        timeline.seek(tick // 120 * 60)
        sim.submit(Despawn(tuple(sim.serials[::2].tolist())))
        for _ in range(60):
            timeline.step()
        timeline.seek(200, first)
        for known in events.recent:
            assert (known.births.serials.tolist(), known.deaths.serials.tolist()) == seen[known.tick + 1]
        timeline.close()


def test_a_mod_reacts_to_them_and_its_own_births_are_among_them(tmp_path: Path) -> None:
    mod = write_mod(tmp_path / "trophies", TROPHIES.replace("PHASE", "COMMIT"))
    with sandbox.loads(HOUNDS, mods=[mod]) as sim:
        events, ghosts = sim.world.resource(Events), 0
        for _ in range(300):
            before = set(sim.serials.tolist())
            sim.step()
            assert set(events.births.serials.tolist()) == set(sim.serials.tolist()) - before
            ghosts += len(events.deaths)
        assert len(sim.select("ghost")) == ghosts > 5
        assert sim.column("Trophies.catches", sim.select("hound")).sum() > 0
        sim.save(tmp_path / "half.boids")
        sim.step(200)
        with sandbox.load(tmp_path / "half.boids", mods=[mod]) as opened:
            opened.step(200)
            assert opened.digest() == sim.digest()


def test_before_they_are_known_a_mod_that_reads_them_is_told_when_they_are(tmp_path: Path) -> None:
    mod = write_mod(
        tmp_path / "early", TROPHIES.replace("PHASE", "LIFE").replace('after = ("commit",)', 'after = ("predation",)')
    )
    with pytest.raises(LoadError, match=r'counting.*: declare phase = Phase.COMMIT, after = \("commit",\)'):
        sandbox.loads(MEADOW, mods=[mod])


@pytest.mark.verify
def test_they_take_no_more_room_however_many_are_born(tmp_path: Path) -> None:
    teeming = """
from sandbox.api import *

class Teeming(System):
    phase = Phase.LIFE
    after = ("lifecycle",)
    def run(self, world):
        world.despawn(world.table.serial[world.table.rows()])
        world.spawn("sheep", 3000, {"Position.x": 9.0})

def install(app):
    app.add_system(Teeming)
"""
    with sandbox.new(mods=[write_mod(tmp_path / "teeming", teeming)]) as sim:
        sim.step(30)
        recent = sim.world.resource(Events).recent
        assert 1 < len(recent) < 10
        assert sum(len(tick.births) + len(tick.deaths) for tick in recent) <= REMEMBERED
