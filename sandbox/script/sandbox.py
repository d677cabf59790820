"""Worlds for scripts and notebooks: edit, run, read, measure, draw and save one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.declare import integer
from components.store.fields import FLAT
from components.store.handles import as_many, tables
from components.store.world import World
from sandbox.design.scene import Scene
from sandbox.edit import Command, Despawn, Redo, Spawn, Undo
from sandbox.edit.command import find_system, read
from sandbox.edit.setting import commands_to_set
from sandbox.files import AnyPath, named, write_atomically
from sandbox.mods.run.host import ModHost
from sandbox.record import Record, Recorder, measured
from sandbox.scenes.writer import save_scene
from sandbox.script.columns import list_of, read_only, serials_of, some_serials, values_of
from sandbox.script.given import entry_given, path_given
from sandbox.simulation import TICKS, Simulation
from sandbox.toml.value_source import plain
from sandbox.trajectory import columns_of, samples
from sandbox.undo.history import History, UndoStep
from systems.engine.pipeline import Pipeline

if TYPE_CHECKING:
    from PIL.Image import Image

EVERY = integer(1, "", 1, 1_000_000_000, "how many ticks lie between two rows")
SIDE = replace(integer(1600, "pixels", 1, 16384, "of a picture"), owner="picture", name="size")
NOTEBOOK_SIDE = 800  # pixels along the longer side of a world that a notebook shows


class Sandbox:
    """A simulation for scripts and notebooks; `new`, `load` and `loads` return one.

    Entities are identified by serials. Values are those of a scene file. Every array is a read-only copy. Edits are
    commands, which are carried out at once and can be undone.

    Attributes:
        simulation: the simulation itself, as the rest of the program has it.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self._live: Any = None

    @property
    def world(self) -> World:
        """Entities, table and resources."""
        return self.simulation.world

    @property
    def scene(self) -> Scene:
        """The scene that the world was made from; the seed of the world may differ."""
        return self.simulation.scene

    @property
    def pipeline(self) -> Pipeline:
        """The systems of the world, in order."""
        return self.simulation.pipeline

    @property
    def mods(self) -> ModHost:
        """The mods in this world."""
        return self.simulation.mods

    @property
    def tick(self) -> int:
        """Ticks done since the scene began."""
        return self.simulation.tick

    @property
    def serials(self) -> NDArray[np.int64]:
        """The serials of all living entities, ascending, shape (n,)."""
        return serials_of(self.world, None, ())

    @property
    def positions(self) -> NDArray[np.float32]:
        """The positions (u) of all entities with Position, by serial, shape (n, 2), with depth (n, 3)."""
        return self.column("Position")

    @property
    def velocities(self) -> NDArray[np.float32]:
        """The velocities (u/s) of all entities with Velocity, by serial, shape (n, 2), with depth (n, 3)."""
        return self.column("Velocity")

    def column(self, key: str, serials: ArrayLike | None = None) -> NDArray[Any]:
        """Return the values of a field, for all entities that have it by serial, or for these serials in their order.

        Args:
            key: "Motion.max_speed" gives shape (n,); "Velocity", a vector, gives shape (n, 2), with depth (n, 3).
        Raises:
            ValueError: the field is unknown (the message names the nearest); an entity is gone or lacks the component.
        """
        return values_of(self.world, key, serials)

    def select(self, prefab: str | Iterable[str] | None = None, has: str | Iterable[str] = ()) -> NDArray[np.int64]:
        """Return the serials of entities of these prefabs that have all these components, ascending, shape (n,).

        Raises:
            ValueError: a prefab or component is unknown; the message names the nearest.
        """
        return serials_of(self.world, prefab, has)

    def spawn(self, prefab: str, count: int | None = None, **keys: Any) -> NDArray[np.int64]:
        """Make entities as a `[[spawn]]` of a scene file does; return their serials, shape (count,).

        Args:
            keys: the keys of a `[[spawn]]`: at, area, velocity, speed, heading, points, closed, and components with the
                values of their fields. An area may also be (x, y, radius) or (x, y, width, height).
        Raises:
            ValueError: a value is invalid; the message says what would be right.
        """
        self._settle()
        first = self.world.next_serial
        self._do(Spawn(entry_given(self.world, {"prefab": prefab, "count": count, **keys})))
        return read_only(np.arange(first, self.world.next_serial))

    def despawn(self, serials: ArrayLike) -> None:
        """Remove entities; serials that no longer live are ignored.

        Raises:
            ValueError: some are not whole numbers.
        """
        self._do(Despawn(some_serials(serials)))

    def set(self, key: str, value: Any, serials: ArrayLike | None = None) -> None:
        """Set a field, a parameter or a setting of the world, or enable or disable a system: see docs/python.md.

        Args:
            key: like "starling.Perception.radius", "Perception.radius", "flocking", "commit.reorder_every" or
                "world.edges".
            value: as a scene file writes it.
            serials: set a field of only these entities.
        Raises:
            TypeError: the value is nothing that a scene file can hold.
            ValueError: key or value is invalid; the message says what would be right.
        """
        some = None if serials is None else some_serials(serials)
        self._do(*commands_to_set(key, plain(value), some))

    def undo(self) -> str | None:
        """Undo the last edit; return its label, or None if there is none."""
        return self._turn(Undo(), lambda history: history.undoable)

    def redo(self) -> str | None:
        """Redo the edit that was undone last; return its label, or None if there is none."""
        return self._turn(Redo(), lambda history: history.redoable)

    def submit(self, command: Command, joins: bool = False) -> None:
        """Submit an edit; it is carried out at the start of the next tick.

        Args:
            joins: undo it together with the command before it, like the dabs of one brush stroke.
        Raises:
            ValueError: it can't be carried out; the message says what would be right.
        """
        self.simulation.submit(command, joins)

    def settle_commands(self) -> None:
        """Carry out submitted commands without a tick."""
        self.simulation.settle_commands()

    def step(self, ticks: int = 1) -> None:
        """Run whole ticks; Ctrl+C raises KeyboardInterrupt at the end of the current tick.

        Raises:
            ValueError: `ticks` is not a whole number, or negative.
            RuntimeError: Ctrl+C broke off an earlier tick, because it took too long.
        Warns:
            SandboxWarning: a mod was stopped, or a command refused.
        """
        self.simulation.step(ticks)

    def run(
        self,
        ticks: int,
        *,
        every: int = 1,
        record: str | Iterable[str] = (),
        until: Callable[[Sandbox], object] | None = None,
    ) -> Record:
        """Run whole ticks, and record measures. Ctrl+C raises KeyboardInterrupt at the end of the current tick.

        Args:
            every: record a row and call `until` after each so many ticks.
            record: names of measures, see `measures`; "population.NAME" is the number of living entities of a prefab.
            until: called with the simulation; the run ends when it returns a true value.
        Raises:
            ValueError: a measure is unknown (the message names the nearest), or `ticks` or `every` is out of range.
        """
        ticks, every = read("ticks", ticks, TICKS.parse), read("every", every, EVERY.parse)
        if until is not None and not callable(until):
            raise ValueError(f"until = {until!r:.60}: must be a function of the simulation")
        recorder = Recorder(self.simulation, list_of(record))
        for _ in range(ticks // every):
            self.step(every)
            recorder.take()
            if until is not None and until(self):
                break
        else:
            self.step(ticks % every)
        return recorder.record()

    def trajectory(self, ticks: int, *, every: int = 1, columns: str | Iterable[str] | None = None) -> Record:
        """Run whole ticks, and return where everything that moves was, with the present tick as the first.

        Args:
            every: how many ticks lie between two times.
            columns: "x", "y", "z", "vx", "vy", "vz", "energy", "age", or any field, like "Perception.radius"; None:
                place and velocity.
        Returns:
            a row for each entity with a Position and a Velocity at each time: "tick", "time" (s), "serial" and "kind"
            (its prefab), then the columns; NaN, or an empty text, where it lacks the component.
        Raises:
            ValueError: a column is unknown (the message names the nearest), or `ticks` or `every` is out of range.
        """
        ticks, every = read("ticks", ticks, TICKS.parse), read("every", every, EVERY.parse)
        chosen = columns_of(self.world, None if columns is None else list_of(columns))
        found = [*samples(self.simulation, chosen, self.tick + ticks, every, self.step)]
        self.step(ticks % every)
        return Record({column.name: np.concatenate([rows[column.name] for rows in found]) for column in chosen})

    def measure(self, name: str) -> float:
        """Return the present value of a measure, such as "polarization", "population.starling"; `measures` lists them.

        Raises:
            ValueError: it is unknown; the message names the nearest.
        """
        return measured(self.simulation, [name])[0][name]

    def measures(self, systems: str | Iterable[str] | None = None) -> Mapping[str, float]:
        """Return the present value of every measure by name, or only the measures of these systems.

        Raises:
            ValueError: a system is unknown; the message names the nearest.
        """
        names = None if systems is None else [find_system(self.world, name).name for name in list_of(systems)]
        return self.simulation.measures(names)

    def populations(self) -> dict[str, int]:
        """Return the number of living entities by prefab name; prefabs without any are left out."""
        return self.simulation.populations()

    def digest(self) -> str:
        """Return the SHA-256 of the state, in hexadecimal: equal for equal states."""
        return self.simulation.digest()

    def picture(self, path: AnyPath | None = None, size: tuple[int, int] | None = None) -> Image:
        """Draw the whole world; with a path, the picture is also written there as a PNG.

        Args:
            size: width and height, pixels; None: 1600 pixels along the world's longer side.
        Raises:
            ValueError: the size is out of range, or the path does not end in .png.
            OSError: it can't be drawn or written.
        """
        if path is not None and path_given(path).suffix.lower() != ".png":
            raise ValueError(f"{named(path)}: a picture is a .png; the image that is returned can be saved otherwise")
        from PIL import Image  # imported lazily: a script without pictures needs no graphics

        from sandbox.app.drawing.picture import picture_of

        if size is not None:
            width, height = as_many(SIDE, FLAT, size)
            size = read("width", width, SIDE.parse), read("height", height, SIDE.parse)
        png = picture_of(self.simulation, size)
        if path is not None:
            write_atomically(path, png)
        return Image.open(BytesIO(png))

    def save(self, path: AnyPath) -> None:
        """Write a scene file if the path ends in .toml; a snapshot if it ends in .boids or has no suffix.

        Raises:
            ValueError: a scene file can't describe this world, or the path ends otherwise.
            WriteError: it can't be written; an existing file is unchanged.
        """
        suffix = path_given(path).suffix.lower()
        if suffix == ".toml":
            self.simulation.refuse_broken()
            save_scene(self.simulation, path)
        elif suffix in (".boids", ""):
            self.simulation.save(path)
        else:
            raise ValueError(f"{named(path)}: must end in .boids (the exact state) or .toml (a scene)")

    def close(self) -> None:
        """Free the world at once; a `with` statement does it at its end."""
        self.simulation.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.world.name not in tables:
            return f"<Sandbox {self.scene.name!r}: closed>"
        living = [f"{name} {count:,}" for name, count in self.populations().items()]
        return f"<Sandbox {self.scene.name!r}: tick {self.tick:,}, {', '.join(living) or 'nobody lives'}>"

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """Return the live view that a notebook shows beside the picture; {} without the extra `notebook`."""
        if find_spec("anywidget") is None or self.world.name not in tables:
            return {}
        from sandbox.app.drawing.picture import graphics  # see `picture`

        try:
            graphics()
        except OSError:
            return {}
        from sandbox.share.notebook import Live

        self._live = self._live or Live(self)
        return self._live._repr_mimebundle_()

    def _repr_png_(self) -> bytes | None:
        """Return the picture that a notebook shows; None, if it can't be drawn, makes it show `__repr__`."""
        from sandbox.app.drawing.picture import picture_of  # see `picture`

        try:
            return picture_of(self.simulation, long_side=NOTEBOOK_SIDE)
        except (OSError, RuntimeError):
            return None

    def _turn(self, command: Command, steps: Callable[[History], list[UndoStep]]) -> str | None:
        """Undo or redo the last of these steps of the history; return its label."""
        self._settle()
        last = steps(self.world.resource(History))[-1:]
        self._do(command)
        return last[0].label if last else None

    def _do(self, *commands: Command) -> None:
        """Carry out commands that are undone together, all of them or none."""
        self._settle()
        for command in commands[1:]:  # if one can't be done, the first must not be either
            command.check(self.world)
        for n, command in enumerate(commands):
            self.submit(command, joins=n > 0)
        self.settle_commands()

    def _settle(self) -> None:
        """Carry out waiting commands, so that what follows sees the world after them."""
        self.simulation.refuse_broken()
        if self.world.waiting.on:
            raise RuntimeError("the world is in the middle of a tick: edit it between two ticks")
        self.settle_commands()
