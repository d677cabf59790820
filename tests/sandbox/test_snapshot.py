"""What a snapshot holds, and that a simulation comes back from it exactly."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sandbox
from components.flock import EVERYONE
from components.store.fields import AMOUNT_SCALE, FLAT, Field, Kind
from components.store.prefab import Prefab
from components.store.words import numbers_of
from sandbox import opening
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Despawn, SetEnabled, SetField, SetParameter, Spawn
from sandbox.files.state.entities import kept_columns
from sandbox.render.backdrop import Backdrop
from sandbox.simulation import Simulation
from systems.engine.ledger import Ledger
from systems.engine.settings import EDGES, Settings
from tests.recordings import meta_in, state_in
from tests.worlds import bring

DOCS = Path(__file__).parents[2] / "docs" / "snapshots.md"


def random_values(field: Field, count: int, rng: np.random.Generator, prefabs: int) -> np.ndarray:
    """Values a column may hold, its bounds among them."""
    if field.kind is Kind.SWITCH:
        return rng.random(count) < 0.5
    if field.kind is Kind.CHOICE:
        return rng.choice(numbers_of(field.choices), count)
    if field.kind is Kind.COLOUR:
        return rng.integers(0, 1 << 24, count)
    if field.kind is Kind.PREFABS:
        return rng.integers(0, 1 << prefabs, count)
    low, high = field.default if field.above_low else field.low, field.high
    if field.kind is Kind.AMOUNT:
        low, high = low * AMOUNT_SCALE, high * AMOUNT_SCALE
    values = np.choose(rng.integers(0, 4, count), [rng.uniform(low, high, count), low, high, field.default])
    return np.rint(values) if field.kind is not Kind.NUMBER else values


def random_simulation(seed: int, groups: int, edges: str) -> Simulation:
    """A world of entities with any components and any values that are allowed."""
    rng = np.random.default_rng(seed)
    names = ("first", "second", "third")
    world_settings = Settings(float(rng.uniform(1, 2000)), float(rng.uniform(1, 2000)), edges)
    scene = Scene("random", seed=seed, settings=world_settings, prefabs={name: Prefab(name, {}) for name in names})
    simulation = Simulation(scene)
    world = simulation.world
    known = list(world.table.components.values())
    for _ in range(groups):
        components = [known[n] for n in rng.permutation(len(known))[: rng.integers(1, len(known) + 1)]]
        if not {"Obstacle", "Wall"}.isdisjoint(component.__name__ for component in components):
            components = [component for component in components if component.__name__ != "Velocity"]
        count = int(rng.integers(0, 30))
        serials = world.next_serial + 2 * rng.permutation(count)
        world.next_serial += 2 * count + int(rng.integers(0, 3))
        values = {
            key: random_values(field, count, rng, len(names))
            for component in components
            for key, field in kept_columns(component, FLAT)
        }
        if edges == "wrap" and "Perception.reach" in values:
            values["Perception.reach"] %= EVERYONE
        bring(world, str(rng.choice(names)), serials, components, values)
    simulation.step(int(rng.integers(0, 3)))
    return simulation


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), groups=st.integers(0, 6), edges=st.sampled_from(EDGES))
def test_a_world_comes_back_exactly_and_goes_on_the_same(
    tmp_path_factory: pytest.TempPathFactory, seed: int, groups: int, edges: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "random.boids"
    with random_simulation(seed, groups, edges) as simulation:
        simulation.save(path)
        with opening.load(path) as again:
            assert again.digest() == simulation.digest()
            assert again.populations() == simulation.populations()
            for each in (simulation, again):
                each.step(3)
            assert again.digest() == simulation.digest()
            before = path.read_bytes()
            simulation.save(path)
            again.save(path.with_stem("again"))
            assert path.read_bytes() == path.with_stem("again").read_bytes() != before


def edited() -> Simulation:
    """A scene in which a person changed things."""
    simulation = sandbox.load("ronan", seed=5)
    prefab = next(iter(simulation.world.prefabs))
    simulation.step(5)
    for command in (
        Spawn(Entry(prefab, 7, at=(100, 100))),
        Despawn((3, 5, 8)),
        SetField("Flocker.cohesion_strength", 9, prefab=prefab),
        SetField("Look.colour", "#123456", serials=(1,)),
        SetParameter("commit", "reorder_every", 7),
        SetEnabled("wrap", False),
    ):
        simulation.submit(command)
    simulation.step(5)
    return simulation


def test_edits_come_back_too(tmp_path: Path) -> None:
    with edited() as simulation:
        simulation.save(tmp_path / "edited.boids")
        with sandbox.load(tmp_path / "edited.boids") as again:
            assert again.digest() == simulation.digest()
            assert (again.tick, again.world.seed, again.scene.name) == (10, 5, simulation.scene.name)
            assert again.world.prefabs == simulation.world.prefabs
            assert again.world.next_serial == simulation.world.next_serial
            assert not again.pipeline.by_name["wrap"].enabled
            assert vars(again.pipeline.by_name["commit"])["reorder_every"] == 7


def test_the_file_is_laid_out_as_the_docs_say(tmp_path: Path) -> None:
    with edited() as simulation:
        simulation.save(tmp_path / "edited.boids")
        table = simulation.world.table
        state, meta = state_in(tmp_path / "edited.boids"), meta_in(tmp_path / "edited.boids")
        held = {name: component for name, component in table.components.items() if len(table.rows(component))}
        for name, component in held.items():
            rows = table.rows(component)
            order = rows[np.argsort(table.serial[rows])]
            assert state[name].tolist() == table.serial[order].tolist()
            for key, field in kept_columns(component, FLAT):
                assert state[key].dtype == field.dtype
                assert state[key].tobytes() == table.columns[key][order].tobytes()
        kept = {key for c in held.values() for key, _ in kept_columns(c, FLAT)}
        assert state.keys() == {*held, *kept, "prefab", "meta"}
        with zipfile.ZipFile(tmp_path / "edited.boids") as archive:
            assert set(archive.namelist()) == {"recording.json", "start.npy"}
    assert meta["systems"] == {
        "wrap": {"enabled": False},
        "commit": {"reorder_every": 7},
        "render": {"colour": "heading"},
    }
    assert (meta["format"], meta["tick"], meta["seed"], meta["next_serial"]) == (1, 10, 5, 108)


def test_the_digest_sees_every_part_of_the_state_but_no_name_and_nothing_that_is_only_drawn() -> None:
    def digest_after(change: object) -> str:
        with edited() as simulation:
            change(simulation)  # type: ignore[operator]
            return simulation.digest()

    def nudge(key: str) -> object:
        def change(simulation: Simulation) -> None:
            column = simulation.world.table.columns[key]
            column[0] = column[0] + 1 if column.dtype != bool else ~column[0]

        return change

    def rename(simulation: Simulation) -> None:
        simulation.scene.name, simulation.scene.description = "another", "text"

    def set_world(name: str, value: object) -> object:
        return lambda simulation: setattr(simulation.world, name, value)

    same = digest_after(lambda simulation: None)
    assert digest_after(rename) == same
    assert digest_after(nudge("Position.previous.x")) == same
    assert digest_after(lambda simulation: setattr(simulation.world.resource(Settings), "backdrop", "sea")) == same
    assert digest_after(lambda simulation: setattr(simulation.world.resource(Backdrop), "clouds", 0.5)) == same
    assert digest_after(lambda simulation: setattr(simulation.pipeline.by_name["render"], "colour", 1)) == same
    assert digest_after(lambda simulation: setattr(simulation.pipeline.by_name["scenery"], "enabled", False)) == same
    with edited() as simulation:
        table = simulation.world.table
        held = [component for component in table.components.values() if len(table.rows(component))]
        kept = [key for component in held for key, _ in kept_columns(component, FLAT)]
    changes = [nudge(key) for key in kept]
    changes += [set_world("tick", 11), set_world("seed", 6), set_world("next_serial", 200)]
    changes.append(lambda simulation: setattr(simulation.world.resource(Settings), "edges", "open"))
    changes.append(lambda simulation: setattr(simulation.pipeline.by_name["wrap"], "enabled", True))
    digests = [digest_after(change) for change in changes]
    assert len({same, *digests}) == len(changes) + 1


def test_waiting_commands_are_not_part_of_the_state() -> None:
    with sandbox.load("ronan") as simulation:
        before = simulation.digest()
        simulation.submit(Despawn((1,)))
        assert simulation.digest() == before
        simulation.settle_commands()
        assert simulation.digest() != before


def test_what_was_counted_comes_back(tmp_path: Path) -> None:
    counted = Ledger(births=1, deaths=2, meals=3, catches=4, burned=2**70, lost=6, regrown=2**90)
    with edited() as simulation:
        before = simulation.digest()
        simulation.world.resources[Ledger] = counted
        assert simulation.digest() != before
        simulation.save(tmp_path / "a.boids")
        with sandbox.load(tmp_path / "a.boids") as again:
            assert again.world.resource(Ledger) == counted
            assert again.digest() == simulation.digest()
            again.world.resource(Ledger).meals += 1
            assert again.digest() != simulation.digest()
        names = ("births", "deaths", "meals", "catches", "burned", "lost", "regrown")
        shown = {name: getattr(counted, name) for name in names}
        assert meta_in(tmp_path / "a.boids")["resources"] == {"Ledger": shown}


def test_a_world_in_which_nothing_was_counted_says_nothing_of_it(tmp_path: Path) -> None:
    with edited() as simulation:
        simulation.save(tmp_path / "a.boids")
        assert meta_in(tmp_path / "a.boids")["resources"] == {}


def test_sizes_and_parameters_come_back_to_the_last_bit(tmp_path: Path) -> None:
    with Simulation(Scene(settings=Settings(width=1000 + 1 / 3, margin=0.1))) as simulation:
        simulation.submit(SetParameter("flocks", "link", 20 + 1 / 3))
        simulation.step()
        simulation.save(tmp_path / "a.boids")
        with sandbox.load(tmp_path / "a.boids") as again:
            assert again.world.resource(Settings) == simulation.world.resource(Settings)
            assert vars(again.pipeline.by_name["flocks"])["link"] == 20 + 1 / 3


def test_another_seed_can_be_given(tmp_path: Path) -> None:
    with sandbox.load("ronan", seed=3) as simulation:
        simulation.save(tmp_path / "a.boids")
    with sandbox.load(tmp_path / "a.boids", seed=4) as again:
        assert again.world.seed == 4
    with pytest.raises(ValueError, match="seed = -1: must be 0 to"):
        sandbox.load(tmp_path / "a.boids", seed=-1)


def test_a_snapshot_is_known_by_how_it_begins(tmp_path: Path) -> None:
    with sandbox.load("ronan") as simulation:
        simulation.save(tmp_path / "saved")
        with sandbox.load(tmp_path / "saved") as again:
            assert again.digest() == simulation.digest()


def test_the_examples_of_the_docs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL):
        exec(example, scope)
    assert scope["sha"].hexdigest() == scope["digest"]  # type: ignore[attr-defined]
