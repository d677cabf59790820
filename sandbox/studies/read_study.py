"""Reading a study file: every mistake is found before anything runs, or the study is whole."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import tomli

from components.store.declare import integer, number
from components.store.fields import declared
from components.store.words import did_you_mean
from sandbox.design.scene import MOST_SEED, Scene
from sandbox.files import read_file, reason
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.record import measured
from sandbox.scenes.bundled import find_scene
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation
from sandbox.studies.meanings import meanings
from sandbox.studies.stop import Stop
from sandbox.studies.study import STATISTICS, Levels, Study, Value
from sandbox.studies.world import world_of
from sandbox.toml.places import KeyPath
from sandbox.toml.shapes import Anything, Many, Name, One, Table, Text, Wrong, refuse
from sandbox.toml.source import TomlSource, read_toml

FORMAT = 1
MOST_RUNS = 10_000_000
MOST_LEVELS = 10_000
MOST_TABLE = 64 << 20  # bytes of a CSV
SCENE_COPY = "scene.toml"  # beside the study file in the folder of its results


class _Keys:
    """The numbers of a study file."""

    format: int = integer(FORMAT, "", FORMAT, FORMAT, "of study files")
    ticks: int = integer(600, "", 1, 1_000_000_000, "how long a run is")
    seed: int = integer(0, "", 0, MOST_SEED, "what seeds and drawn designs follow from")
    seeds: int = integer(1, "", 1, 1_000_000, "runs of each point of the design")
    samples: int = integer(64, "", 1, 1_000_000, "how many points are drawn")
    every: int = integer(60, "ticks", 1, 1_000_000_000, "how often is measured")
    after: int = integer(0, "ticks", 0, 1_000_000_000, "what comes before is not in the summary")
    low: float = number(0, "", -1e15, 1e15, "where a range begins")
    high: float = number(1, "", -1e15, 1e15, "where it ends")
    steps: int = integer(2, "", 2, MOST_LEVELS, "how many values a grid takes of it")


K = declared(_Keys)
MEASURE = Table(
    {
        "every": One(K["every"]),
        "after": One(K["after"]),
        "columns": Many(Text("a measure"), "names of measures"),
        "summary": Anything(),
        "stop": Text("a measure compared with a number"),
    },
    required=("columns",),
)
DESIGN = Table(
    {
        "kind": Name("design", ("grid", "latin", "sobol", "list")),
        "samples": One(K["samples"]),
        "file": Text("a CSV file with a column for each key"),
    },
    required=("kind",),
)
RANGE = Table({"from": One(K["low"]), "to": One(K["high"]), "steps": One(K["steps"])}, required=("from", "to"))
STUDY = Table(
    {
        "format": One(K["format"]),
        "scene": Text("the name of a scene, or its file"),
        "ticks": One(K["ticks"]),
        "seed": One(K["seed"]),
        "seeds": Anything(),
        "vary": Anything(),
        "design": DESIGN,
        "measure": MEASURE,
    },
    required=("format", "scene", "ticks", "measure"),
)


def read_study(path: Path | str, mods: LoadedMods) -> tuple[Study, Scene]:
    """Read and check a study file, and the scene that it is about.

    In the folder of a study's results the scene is the copy that lies there.

    Raises:
        SceneError: with every mistake in the file, each with its place, or those of the scene.
    """
    source = read_toml(path)
    return _Reader(source, Path(path).parent, mods).study()


class _Reader:
    """Reads one file."""

    def __init__(self, source: TomlSource, folder: Path, mods: LoadedMods) -> None:
        self.source, self.folder, self.mods = source, folder, mods

    def study(self) -> tuple[Study, Scene]:
        source = self.source
        read = STUDY.read(source, (), source.data)
        given: dict[str, Any] = {} if isinstance(read, Wrong) else read
        source.refuse_mistakes()
        scene = self._scene(given["scene"])
        seeds = self._seeds(given.get("seeds", 1))
        vary = dict(self._vary(("vary",), given.get("vary", {})))
        design, measure = given.get("design", {"kind": "grid"}), given["measure"]
        points = self._points(design, vary)
        columns = tuple(dict.fromkeys(name for _, name in measure["columns"]))
        summary, stop = self._summary(measure.get("summary", {}), columns), self._stop(measure, columns)
        source.refuse_mistakes()
        study = Study(
            given["scene"],
            scene.text,
            given["ticks"],
            tuple((mod.id, mod.content.digest) for mod in scene.loaded),
            given.get("seed", 0),
            seeds,
            vary,
            design["kind"],
            design.get("samples", 64) if design["kind"] in ("latin", "sobol") else 0,
            points,
            measure.get("every", 60),
            columns,
            summary,
            measure.get("after", 0),
            stop,
            source.text,
            meanings(scene, vary or (points[0] if points else ()), columns),
        )
        self._try(study, scene)
        source.refuse_mistakes()
        return study, scene

    def _scene(self, name: str) -> Scene:
        copy = self.folder / SCENE_COPY
        if (self.folder / "design.parquet").exists() and copy.exists():
            return read_scene(copy, self.mods)
        beside = self.folder / name
        if name.endswith(".toml") and beside.exists():
            self.mods.look(beside)
            return read_scene(beside, self.mods)
        try:
            self.mods.look()
            return read_scene(find_scene(Path(name), self.mods.assembly.app.scenes), self.mods)
        except FileNotFoundError as error:
            self.source.mistake(("scene",), str(error), shows_value=False)
            self.source.refuse_mistakes()
            raise

    def _seeds(self, value: Any) -> int | tuple[int, ...]:
        if not isinstance(value, list):
            read = One(K["seeds"]).read(self.source, ("seeds",), value)
            return 1 if isinstance(read, Wrong) else int(read)
        one = One(K["seed"])
        read_all = [one.read(self.source, ("seeds", place), seed) for place, seed in enumerate(value)]
        if not value:
            refuse(self.source, ("seeds",), "must be a whole number, or a list of seeds")
        elif len({*map(str, read_all)}) < len(value):
            refuse(self.source, ("seeds",), "says a seed twice")
        return tuple(seed for seed in read_all if not isinstance(seed, Wrong))

    def _vary(self, path: KeyPath, value: Any) -> Iterator[tuple[str, Levels]]:
        """What is varied; a key may stand in quotes, or as tables within tables."""
        if not isinstance(value, dict):
            refuse(self.source, path, "must be a table: a list of values, or { from, to, steps }, for each key")
            return
        for key, levels in value.items():
            here = (*path, key)
            if isinstance(levels, list):
                found = self._list(here, levels)
            elif isinstance(levels, dict) and levels.keys() & {"from", "to", "steps"}:
                found = self._range(here, levels)
            elif isinstance(levels, dict):
                yield from self._vary(here, levels)
                continue
            else:
                refuse(self.source, here, "must be a list of values, or { from = 20, to = 80, steps = 7 }")
                continue
            if found is not None:
                yield ".".join(map(str, here[1:])), found

    def _list(self, path: KeyPath, values: list[Any]) -> Levels | None:
        wrong = False
        for place, value in enumerate(values):
            if not isinstance(value, bool | int | float | str):
                refuse(self.source, (*path, place), "must be a number, a text, true or false")
                wrong = True
        if not values or len(values) > MOST_LEVELS or len({*map(repr, values)}) < len(values):
            refuse(self.source, path, f"must be 1 to {MOST_LEVELS:,} values, each once")
            wrong = True
        return None if wrong else Levels(tuple(values))

    def _range(self, path: KeyPath, table: dict[str, Any]) -> Levels | None:
        read = RANGE.read(self.source, path, table)
        if isinstance(read, Wrong):
            return None
        low, high, steps = table["from"], table["to"], read.get("steps")
        if not low < high:
            refuse(self.source, (*path, "to"), f"must be above from, {low}")
            return None
        whole = type(low) is int and type(high) is int
        values: tuple[Value, ...] = ()
        if steps is not None:
            drawn = np.linspace(low, high, steps).tolist()
            whole = whole and all(value == round(value) for value in drawn)
            values = tuple(round(value) for value in drawn) if whole else tuple(drawn)
        return Levels(values, low, high, whole)

    def _points(self, design: Mapping[str, Any], vary: dict[str, Levels]) -> tuple[Mapping[str, Value], ...]:
        kind = design["kind"]
        if kind == "grid":
            for key, levels in vary.items():
                if not levels.values:
                    path = next(path for path in self._paths(("vary",), self.source.data["vary"]) if _key(path) == key)
                    self.source.mistake(path, "a grid needs steps: { from = 20, to = 80, steps = 7 }")
        if kind != "list":
            if not vary and kind != "grid":
                self.source.mistake(("design", "kind"), f"{kind} draws values of what is varied: [vary] says nothing")
            return ()
        if vary:
            self.source.mistake(("vary",), "a list of points says what is varied by itself: leave this out")
        name = design.get("file")
        if name is None:
            self.source.mistake(("design",), 'a list needs a file: file = "points.csv"')
            return ()
        return tuple(self._table(self.folder / name))

    def _paths(self, path: KeyPath, value: Any) -> Iterator[KeyPath]:
        for key, child in value.items():
            if isinstance(child, dict) and not child.keys() & {"from", "to", "steps"}:
                yield from self._paths((*path, key), child)
            else:
                yield (*path, key)

    def _table(self, path: Path) -> Iterator[Mapping[str, Value]]:
        at = ("design", "file")
        try:
            text = read_file(path, MOST_TABLE).decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            wrong = reason(error) if isinstance(error, OSError) else "must be text in UTF-8"
            self.source.mistake(at, f"{path}: can't be read: {wrong}")
            return
        rows = [row for row in csv.reader(io.StringIO(text)) if row]
        if len(rows) < 2 or len({*rows[0]}) < len(rows[0]):
            self.source.mistake(at, f"{path}: must have a line of keys, each once, and a line for each point")
            return
        for line, row in enumerate(rows[1:], 2):
            if len(row) != len(rows[0]):
                self.source.mistake(at, f"{path}:{line}: has {len(row)} values, and must have {len(rows[0])}")
                return
            yield {key.strip(): _value(text) for key, text in zip(rows[0], row, strict=True)}

    def _summary(self, value: Any, columns: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        if not isinstance(value, dict):
            refuse(self.source, ("measure", "summary"), "must be a table: a list of statistics for each measure")
            return {}
        found = {}
        for column, names in value.items():
            path: KeyPath = ("measure", "summary", column)
            if column not in columns:
                self.source.mistake(path, f"is not among the columns{did_you_mean(column, columns)}")
                continue
            listed = Many(Name("statistic", STATISTICS), ", ".join(STATISTICS)).read(self.source, path, names)
            if not isinstance(listed, Wrong):
                found[column] = tuple(dict.fromkeys(name for _, name in listed))
        return found

    def _stop(self, measure: Mapping[str, Any], columns: tuple[str, ...]) -> Stop | None:
        if "stop" not in measure:
            return None
        path = ("measure", "stop")
        try:
            stop = Stop.read(measure["stop"])
        except ValueError as error:
            refuse(self.source, path, str(error))
            return None
        if stop.column not in columns:
            self.source.mistake(path, f"{stop.column} is not among the columns{did_you_mean(stop.column, columns)}")
        return stop

    def _try(self, study: Study, scene: Scene) -> None:
        """Set each value of each key once in a world of the scene, and measure once."""
        paths = {_key(path): path for path in self._paths(("vary",), self.source.data.get("vary", {}))}
        for key, levels in study.vary.items():
            for place, value in enumerate(levels.values or (levels.low, levels.high)):
                wrong = _wrong(scene, {key: value})
                if wrong:
                    listed = isinstance(_at(self.source.data, paths[key]), list)
                    self.source.mistake((*paths[key], place) if listed else paths[key], wrong.removeprefix(f"{key}: "))
                    break
        for line, point in enumerate(study.points, 2):
            if wrong := _wrong(scene, point):
                self.source.mistake(("design", "file"), f"line {line}: {wrong}")
                break
        with Simulation(scene, populate=False) as simulation:
            for place, name in enumerate(self.source.data["measure"]["columns"]):
                try:
                    measured(simulation, [name])
                except ValueError as error:
                    self.source.mistake(("measure", "columns", place), str(error))


def _wrong(scene: Scene, values: Mapping[str, Value]) -> str:
    """Why these values can't be set in a world of the scene, or would change nobody in it."""
    try:
        with world_of(scene, values, 0) as simulation:
            there = simulation.populations()
    except ValueError as error:
        return str(error)
    for key in values:
        prefab, *rest = key.split(".")
        if len(rest) == 2 and rest[0][:1].isupper() and prefab not in there:
            return f"nobody in the scene is a {prefab}{did_you_mean(prefab, there)}"
    return ""


def _key(path: KeyPath) -> str:
    return ".".join(map(str, path[1:]))


def _at(data: Any, path: KeyPath) -> Any:
    for key in path:
        data = data[key]
    return data


def _value(text: str) -> Value:
    """A value in a CSV as TOML writes it; a bare word is text."""
    with suppress(tomli.TOMLDecodeError, ValueError, RecursionError):
        value = tomli.loads(f"value = {text}")["value"]
        if isinstance(value, bool | int | float | str):
            return value
    return text
