"""A simulation: a world, its pipeline and its queue of commands."""

from __future__ import annotations

import operator
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

from components.store.declare import integer
from components.store.replica import Replica
from components.store.table import EntityTable
from components.store.world import World
from sandbox.design.kept_kinds import KEPT
from sandbox.design.origins import Origins
from sandbox.design.scene import MOST_SEED, Scene, spawn_entry
from sandbox.edit import Asked, Command, CommandQueue, Paste, Spawn
from sandbox.edit.command import read
from sandbox.files import AnyPath
from sandbox.files.members import hold_moment
from sandbox.files.state.state import Digest
from sandbox.mods.load.assembly import assembled
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.run.host import ModHost
from sandbox.undo.history import ModSwitches
from sandbox.warning import SandboxWarning
from systems.engine.interrupts import interrupted_at_end
from systems.engine.measures import Measures
from systems.engine.pipeline import Pipeline
from systems.engine.system import WHILE_PAUSED, Phase

TICKS = integer(1, "", 0, 1_000_000_000, "how many ticks to run")


def read_seed(seed: int) -> int:
    """Check a seed.

    Raises:
        ValueError: it is negative or too large.
    """
    if not 0 <= (seed := operator.index(seed)) <= MOST_SEED:
        raise ValueError(f"seed = {seed}: must be 0 to {MOST_SEED:,}")
    return seed


class Simulation:
    """A world that runs.

    Attributes:
        world: entities, table and resources, among them the `Scene` that it was made from.
        pipeline: the systems of the world, in order.
    """

    def __init__(self, scene: Scene, seed: int | None = None, *, populate: bool = True, axes: str = "") -> None:
        """Make the world of a scene; `seed` replaces the scene's, `populate=False` leaves it empty.

        Args:
            axes: those of a state that it will be given, which may have got depth, or lost it.

        Raises:
            ValueError: the seed is negative or too large, or a mod of the scene does not run in such worlds.
        """
        self._broken = False
        self._replica: Replica | None = None  # stands in for the world while another thread has it
        self._next: Replica | None = None  # will do so in the tick after, if `copy_lent` was called
        self._is_copied = False
        self._end: Callable[[], object] | None = None
        seed = scene.seed if seed is None else read_seed(seed)
        axes = axes or scene.settings.axes
        assembly = LoadedMods(assembled(scene.loaded)).fitting(axes).assembly
        app = assembly.app
        self.world = World(seed=seed, prefabs=dict(scene.prefabs), table=EntityTable(axes))
        for component in app.components:
            self.world.table.declare(component)
        self.world.resources |= {kind: scene.resource(kind) for kind in app.resources}
        self.pipeline = Pipeline(self.world, [kind() for kind in app.systems])
        host = ModHost(self.world, assembly)
        self.world.resources |= {Scene: scene, Pipeline: self.pipeline, ModHost: host, ModSwitches: host}
        for table, kept in scene.tables.items():
            self.world.resource(KEPT[table]).kept = kept
        self.mods.take(assembly)
        for name, values in scene.systems.items():
            for key, value in values.items():
                setattr(self.pipeline.by_name[name], key, value)
        self.mods.follow_systems()
        if populate:
            self.populate()

    def populate(self) -> None:
        """Spawn all entities of the scene into an empty world."""
        self.world.resource(Origins).resources = self.scene.resources
        for entry in self.scene.entries:
            first = self.world.next_serial
            spawn_entry(self.world, entry)
            self.world.resource(Origins).entries.append((first, self.world.next_serial, entry))
        self.pipeline.run(self.world, WHILE_PAUSED)  # so that no animal or food starts inside an obstacle

    @property
    def scene(self) -> Scene:
        """The scene that the world was made from; the seed of the world may differ."""
        return self.world.resource(Scene)

    @property
    def mods(self) -> ModHost:
        """The mods in this world."""
        return self.world.resource(ModHost)

    @property
    def tick(self) -> int:
        """Ticks done since the scene began."""
        return self.world.tick

    def step(self, ticks: int = 1) -> None:
        """Run whole ticks; Ctrl+C raises KeyboardInterrupt at the end of the current tick.

        Raises:
            ValueError: `ticks` is not a whole number, or negative.
            RuntimeError: Ctrl+C broke off an earlier tick, because it took too long.
        Warns:
            SandboxWarning: a mod was stopped, or a command refused.
        """
        ticks = read("ticks", ticks, TICKS.parse)
        self.join()
        with self._warning(self.world), interrupted_at_end() as answer:
            for _ in range(ticks):
                self._tick(self.world)
                answer()

    def _tick(self, world: World) -> None:
        with self._whole():
            self.pipeline.tick(world)
            self.mods.end_tick()
            world.tick += 1

    def step_lent(self, world: World) -> None:
        """Run a tick of the world that `lend` returned."""
        with self._warning(world):
            self._tick(world)

    def lend(self, end: Callable[[], object]) -> World:
        """Return the world for a tick in another thread; until `reclaim`, `world` is a copy of it, for readers.

        Commands can be submitted meanwhile. All that needs the world itself calls `join`.

        Args:
            end: waits for the end of the tick, and calls `reclaim`.
        """
        world, self._end = self.world, end
        self.world = self._replica = _following(self._replica, world)
        return world

    def copy_lent(self, world: World) -> World:
        """Return a copy of the lent world after its tick, which readers will see during the next one, except for what
        is changed in between.
        """
        self._next = _following(self._next, world)
        self._is_copied = True
        return self._next

    def reclaim(self) -> list[Asked]:
        """Have the lent world again, with what was drawn meanwhile; return the commands that were submitted."""
        if self._end is None or self._replica is None:
            return []
        self._end, self.world = None, self._replica.original
        waiting = self._replica.resource(CommandQueue).waiting
        if self._is_copied and self._next is not None:
            self._is_copied, self._replica, self._next = False, self._next, self._replica
        drawn = (kind for system in self.pipeline.systems if system.phase is Phase.RENDER for kind in system.writes)
        others = self._replica.resources
        self.world.resources |= {kind: others[kind] for kind in drawn if isinstance(kind, type) and kind in others}
        return waiting

    def join(self) -> None:
        """Wait for the end of a tick in another thread."""
        if self._end is not None:
            self._end()

    def settle_commands(self) -> None:
        """Carry out waiting commands without a tick, as while the world is paused."""
        self.join()
        if self.world.resource(CommandQueue).waiting:
            world = self.world
            with self._warning(world), interrupted_at_end(), self._whole(ticking=False), world.at_work():
                self.pipeline.by_name["commands"].process(world)
                world.commit()

    @contextmanager
    def _whole(self, *, ticking: bool = True) -> Iterator[None]:
        """Watch a change of the world: if it is interrupted, the simulation can't be used any more."""
        self.refuse_broken()
        self.mods.ticking = ticking
        try:
            yield
        except KeyboardInterrupt:
            self._broken = True
            raise
        finally:
            self.mods.ticking = False

    def refuse_broken(self) -> None:
        """Raise RuntimeError if a tick was broken off, because the world is then in no state."""
        if self._broken:
            raise RuntimeError("this simulation was interrupted in the middle of a tick: open it again")

    def submit(self, command: Command, joins: bool = False) -> None:
        """Submit an edit; it is carried out at the start of the next tick.

        Args:
            joins: undo it together with the command before it, like the dabs of one brush stroke.
        Raises:
            ValueError: it can't be carried out; the message says what would be right.
        """
        if not hasattr(command, "check"):
            raise ValueError(f'{command!r:.60}: must be a command, like Spawn(Entry("boid"))')
        try:
            command.check(self.world)
        except ValueError:
            places = (Spawn, Paste)  # a placement never makes another one possible
            waiting = self.world.resource(CommandQueue).waiting
            helps = [a for a in waiting if not (isinstance(command, places) and isinstance(a.command, places))]
            if not helps or self.world.waiting.on:
                raise
            self.settle_commands()  # the waiting commands may make it possible
            command.check(self.world)
        self.world.resource(CommandQueue).waiting.append(Asked(command, joins))

    def measures(self, systems: Collection[str] | None = None) -> Mapping[str, float]:
        """Return the present value of every measure by name, or only the measures of these systems."""
        return self.measure_lent(self.world, self.pipeline.by_name if systems is None else systems)

    def measure_lent(self, world: World, systems: Collection[str]) -> Mapping[str, float]:
        """Return the measures of these systems in the lent world after its tick, or in a copy."""
        measures = world.resource(Measures)
        with self._warning(world), world.at_work():
            before = measures.wanted, measures.values
            measures.wanted, measures.values = systems, {}
            self.pipeline.run(world, [Phase.MEASURE])
            found = measures.values
            measures.wanted, measures.values = before
        return found

    def populations(self) -> dict[str, int]:
        """Return the number of living entities by prefab name; prefabs without any are left out."""
        counts = zip(self.world.prefabs, self.world.population.tolist(), strict=False)
        return {name: n for name, n in counts if n}

    def digest(self) -> str:
        """Return the SHA-256 of the state, in hexadecimal; waiting commands and how the world is drawn do not count."""
        self.refuse_broken()
        return Digest.of(self.world).value()

    def save(self, path: AnyPath) -> None:
        """Write the state to a snapshot (.boids); waiting commands are not in it.

        Raises:
            WriteError: it can't be written; an existing file at this path is unchanged.
        """
        self.refuse_broken()
        hold_moment(self.world).write(path)

    @contextmanager
    def _warning(self, world: World) -> Iterator[None]:
        """Warn of what mods and commands did wrong in the block, at the line that called the public method."""
        faults, queue = self.mods.faults, world.resource(CommandQueue)
        known, before = len(faults), queue.refused
        yield
        refused = [] if queue.refused is before else queue.refused
        stopped = [f"the mod was stopped: {fault.sentence}" for fault in faults[known:]]
        for told in (*stopped, *refused):
            warnings.warn(told, SandboxWarning, stacklevel=_outside())

    def close(self) -> None:
        """Free the world and its esper entities."""
        self.join()
        self.world.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _following(replica: Replica | None, world: World) -> Replica:
    """Return a replica, or a new one, that is equal to a world."""
    if replica is None or replica.original is not world:
        replica = Replica()
    replica.follow(world)
    return replica


def _outside() -> int:
    """Return how many calls above its caller the first one is that is not of this program."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in ("sandbox", "contextlib"):
        frame, level = frame.f_back, level + 1
    return level
