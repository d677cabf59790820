"""Who did this? Each system is named with what it changes of an entity in the next tick; the world stays as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sandbox
from sandbox.explain.changes import who_did_what
from sandbox.simulation import Simulation
from systems.engine.events import Events
from tests.command_line import boids
from tests.mods import write_mod
from tests.planted import FAULTS, PLANTED, plant


def shown(simulation: Simulation, serial: int, key: str) -> tuple[Any, ...]:
    """The present values of a key, as files write them."""
    table = simulation.world.table
    row = table.row_of(serial)
    keys = [column for column in table.columns if column in (key, f"{key}.x", f"{key}.y", f"{key}.z")]
    return tuple(table.field(each).show(table.columns[each][row], tuple(simulation.world.prefabs)) for each in keys)


@pytest.mark.parametrize("scene", ["estuary", "bait-ball", "hunters"])
def test_the_changes_one_after_another_are_the_tick(scene: str) -> None:
    with sandbox.load(scene) as simulation, sandbox.load(scene) as undisturbed:
        for serial in (1, 2, 60, 100, 140) * 2:
            before = simulation.digest()
            did = who_did_what(simulation, serial)
            assert "remember" not in did  # what it clears is of the last tick
            assert simulation.digest() == before
            now: dict[str, tuple[Any, ...]] = {}
            for deeds in did.values():
                for change in deeds.changes:
                    if change.key in now or not change.field.transient:
                        assert change.before == now.get(change.key, shown(simulation, serial, change.key))
                    assert change.before != change.after
                    now[change.key] = change.after
            simulation.step()
            undisturbed.step()
            if simulation.world.table.row_of(serial) >= 0:
                for key, value in now.items():
                    assert shown(simulation, serial, key) == value
        assert simulation.digest() == undisturbed.digest()
        events = [each.world.resource(Events).recent for each in (simulation, undisturbed)]
        assert [len(happened.deaths) for happened in events[0]] == [len(happened.deaths) for happened in events[1]]


def test_who_bears_young_and_who_is_born_and_dies_of_age() -> None:
    with sandbox.load("pasture") as simulation:
        sheep = next(s for s in simulation.world.table.serial.tolist() if kind_of(simulation, s) == "sheep")
        simulation.set("Energy.level", 96, [sheep])
        young = simulation.world.next_serial
        did = who_did_what(simulation, sheep)
        assert did["lifecycle"].requests == ("bears 1 young",)
        assert did["lifecycle"].words[0].startswith("Energy.level -4")  # half of it
        simulation.step()
        assert kind_of(simulation, young) == "sheep"
        assert {"movement", "metabolism"} <= who_did_what(simulation, young).keys()
        simulation.set("Life.age", 111, [young])
        did = who_did_what(simulation, young)
        assert did["lifecycle"].requests == ("dies",)
        assert did["commit"].words == ("is gone",)
        simulation.step()
        with pytest.raises(ValueError, match=f"there is no entity {young}"):
            who_did_what(simulation, young)


def kind_of(simulation: Simulation, serial: int) -> str:
    table = simulation.world.table
    return list(simulation.world.prefabs)[table.prefab[table.row_of(serial)]]


def test_prey_dies_by_predation() -> None:
    with sandbox.load("hunters") as simulation:
        before = set(simulation.world.table.serial[: simulation.world.table.size].tolist())
        while not len(simulation.world.resource(Events).catches):
            simulation.step()
        tick, caught = simulation.tick, simulation.world.resource(Events).catches.serials.tolist()
        assert {*caught} <= before
    with sandbox.load("hunters") as simulation:
        simulation.step(tick - 1)
        assert who_did_what(simulation, caught[0])["predation"].requests == ("dies",)


MOULTS = '''
"""Gives and takes components, and repaints."""
from sandbox.api import App, Look, Perception, Phase, Prey, System, Wander, World


class Moult(System):
    """Does it in the first tick."""

    phase = Phase.LIFE
    writes = (Look,)
    reads = (Perception, Prey, Wander)

    def run(self, world: World) -> None:
        if world.tick == 0:
            world.add(1, Wander)
            world.remove(1, Perception)
            row = world.table.row_of(1)
            world.table.columns["Look.colour"][row] = 0x123456
            world.table.columns["Look.shape"][row] = 1


def install(app: App) -> None:
    app.add_system(Moult)
'''


def test_words_numbers_and_components_that_change_are_told(tmp_path: Path) -> None:
    scene, _ = plant(tmp_path)
    mod = write_mod(tmp_path / "mods" / "moulting", MOULTS)
    ran = boids("systems", scene, "--mod", mod, "--entity", 1, "--graph", "json")
    (moult,) = (system for system in json.loads(ran.stdout)["systems"] if system["name"] == "moult")
    assert moult["mod"] == "moulting"
    assert moult["changed"]["Look.colour"]["after"] == ["#123456"]
    assert moult["requested"] == ["gets Wander", "loses Perception"]
    listed = boids("systems", scene, "--mod", mod, "--entity", 1, COLUMNS="200").stdout
    assert "→ #123456; gets Wander; loses Perception" in listed


@pytest.mark.parametrize("size", [(800, 600), (800, 600, 400)], ids=["flat", "deep"])
@pytest.mark.parametrize("mod", FAULTS)
def test_a_planted_fault_is_named_on_the_command_line(tmp_path: Path, mod: str, size: tuple[float, ...]) -> None:
    scene, mods = plant(tmp_path, size)
    options = [word for folder in mods for word in ("--mod", folder)]
    system, tick, key = FAULTS[mod]
    calm, harmed = (
        boids("systems", scene, *options, "--entity", 3, "--at", at, COLUMNS="200").stdout for at in (tick - 1, tick)
    )
    assert f"from tick {tick} to {tick + 1}:" in harmed
    assert f" {system} " not in calm
    (line,) = (line for line in harmed.splitlines() if f" {system} " in line)
    assert line.split()[2:4] == [mod, key]
    assert len(line.split()[4:]) == (1 if mod == "leech" else len(size))


def test_a_moment_of_a_recording_is_told_as_it_was(tmp_path: Path) -> None:
    scene, mods = plant(tmp_path)
    options = [word for folder in mods for word in ("--mod", folder)]
    recording = tmp_path / "run.boids"
    assert boids("run", scene, *options, "--ticks", 20, "--record", recording).returncode == 0
    live = boids("systems", scene, *options, "--entity", 3, "--at", 8, COLUMNS="200").stdout
    assert boids("systems", recording, *options, "--entity", 3, "--at", 8, COLUMNS="200").stdout == live
    assert "from tick 20 to 21:" in boids("systems", recording, *options, "--entity", 3).stdout
    late = boids("systems", recording, *options, "--entity", 3, "--at", 21)
    assert (late.returncode, late.stderr.splitlines()[-1]) == (
        1,
        "boids: --at 21: must be at most 0.333333s, where it ends",
    )


def test_the_time_in_a_snapshot_is_a_tick_of_its_world(tmp_path: Path) -> None:
    snapshot = tmp_path / "three.boids"
    with sandbox.new() as sim:
        sim.spawn("boid", 1)
        sim.step(3)
        sim.save(snapshot)
    for at in (3, 5):
        assert f"from tick {at} to {at + 1}:" in boids("systems", snapshot, "--entity", 1, "--at", at).stdout


def test_there_must_be_such_an_entity(tmp_path: Path) -> None:
    ran = boids("systems", plant(tmp_path)[0], "--entity", 31)
    assert (ran.returncode, ran.stderr) == (1, "boids: there is no entity 31; serials go from 1 to 30\n")


def test_a_mod_that_fails_in_the_rehearsal_is_stopped_and_told(tmp_path: Path) -> None:
    scene, _ = plant(tmp_path)
    bad = PLANTED["leech"].replace("-= 1 << 18", "-= 1 / 0").replace("% 5 == 4", "== 2")
    mod = write_mod(tmp_path / "mods" / "bad", bad)
    ran = boids("systems", scene, "--mod", mod, "--entity", 3, "--at", 2)
    assert ran.returncode == 1
    assert "metabolism" in ran.stdout
    assert "bad.py:16: ZeroDivisionError" in ran.stderr
