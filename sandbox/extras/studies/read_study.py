"""Reads study files; all mistakes are found before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from components.store.words import did_you_mean
from sandbox.condition import Condition
from sandbox.design.scene import Scene
from sandbox.extras.studies.about import read_about
from sandbox.extras.studies.design import Point, count_of
from sandbox.extras.studies.files import DESIGN, POINTS_COPY, SCENE_COPY, STUDY_COPY
from sandbox.extras.studies.format import MOST_RUNS, STUDY, K
from sandbox.extras.studies.read_points import read_points
from sandbox.extras.studies.read_vary import Varied, read_vary
from sandbox.extras.studies.set_up import unknown_measures, wrong_values
from sandbox.extras.studies.study import STATISTICS, Study
from sandbox.files import named
from sandbox.meanings import meanings
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.opening import scene_at, scene_beside
from sandbox.simulation import Simulation
from sandbox.toml.key_places import KeyPath
from sandbox.toml.paths import within
from sandbox.toml.schemas import Many, Name, One, Wrong, refuse
from sandbox.toml.source import TomlSource, read_toml

DRAWN = ("latin", "sobol")


def read_study(path: Path | str, mods: LoadedMods) -> tuple[Study, Scene]:
    """Read and check a study file and its scene.

    In the folder of a study's results, the copies of the scene and the list of points are read, and values are not
    checked again.

    Raises:
        SceneError: the study file or its scene has mistakes; the error has all of them with their places.
    """
    return _Reader(read_toml(path), Path(path).parent, mods).study()


def read_begun(folder: Path) -> Study:
    """Read the study of a folder of results, without opening its scene, so that its mods are not needed.

    Raises:
        SceneError, StudyError: a file has a mistake.
    """
    return _Reader(read_toml(folder / STUDY_COPY), folder, LoadedMods()).begun()


class _Reader:
    """Reads one file."""

    def __init__(self, source: TomlSource, folder: Path, mods: LoadedMods) -> None:
        self.source, self.folder, self.mods = source, folder, mods
        self.in_results = (folder / DESIGN).exists()

    def study(self) -> tuple[Study, Scene]:
        """Return the study and its scene."""
        read, vary = self._read()
        beside = self.folder / SCENE_COPY if self.in_results else scene_beside(self.source, self.folder, self.mods)
        scene = scene_at(beside, self.mods)
        study = self._made(read, vary, None if self.in_results else scene)
        mods = tuple((mod.id, mod.content.digest) for mod in scene.loaded)
        about = meanings(scene, study.keys, study.columns)
        return replace(study, scene=scene.text, mods=mods, meanings=about), scene

    def begun(self) -> Study:
        """Return the study with what its design says about the scene and the mods."""
        study = self._made(*self._read())
        mods, about = read_about(self.folder / DESIGN)
        return replace(study, scene=read_toml(self.folder / SCENE_COPY).text, mods=mods, meanings=about)

    def _read(self) -> tuple[Mapping[str, Any], Varied]:
        source = self.source
        read = STUDY.read(source, (), source.data)
        seeds = self._seeds(source.data.get("seeds", 1))
        vary = read_vary(source, source.data.get("vary", {}))
        source.refuse_mistakes()
        return {**read, "seeds": seeds}, vary

    def _made(self, read: Mapping[str, Any], vary: Varied, tried: Scene | None = None) -> Study:
        """Return the study of the file alone; values and measures are tried in a world of the scene `tried`."""
        source = self.source
        design, measure = read.get("design", {"kind": "grid"}), read["measure"]
        table, points = self._points(design, vary)
        columns = self._columns(measure, read["ticks"])
        summary, stop = self._summary(measure.get("summary", {}), columns), self._stop(measure, columns)
        if tried is not None:
            self._try(tried, vary, points, columns)
        source.refuse_mistakes()
        study = Study(
            scene_name=read["scene"],
            scene="",
            ticks=read["ticks"],
            seed=read.get("seed", 0),
            seeds=read["seeds"],
            vary={key: levels for key, (_, levels) in vary.items()},
            kind=design["kind"],
            samples=design.get("samples", K["samples"].default) if design["kind"] in DRAWN else 0,
            points=tuple(point for _, point in points),
            every=measure.get("every", K["every"].default),
            columns=columns,
            summary=summary,
            after=measure.get("after", 0),
            until=measure.get("until", 0),
            stop=stop,
            text=source.text,
            table=table,
        )
        if (runs := count_of(study) * study.repeats) > MOST_RUNS:
            source.mistake((), f"has {runs:,} runs, and may have {MOST_RUNS:,}")
        source.refuse_mistakes()
        return study

    def _seeds(self, value: Any) -> int | tuple[int, ...]:
        if not isinstance(value, list):
            read = One(K["seeds"]).read(self.source, ("seeds",), value)
            return 1 if isinstance(read, Wrong) else int(read)
        seeds = [seed for _, seed in Many(One(K["seed"]), "of seeds").read(self.source, ("seeds",), value)]
        if not value:
            refuse(self.source, ("seeds",), "must be a whole number, or a list of seeds")
        elif len({*seeds}) < len(seeds):
            refuse(self.source, ("seeds",), "has a seed twice")
        return tuple(seeds)

    def _points(self, design: Mapping[str, Any], vary: Varied) -> tuple[str, list[tuple[int, Point]]]:
        """Return the text of a list and its points with their lines; empty if the design is not a list."""
        kind, source = design["kind"], self.source
        for key, whose in (("samples", DRAWN), ("file", ("list",))):
            if key in design and kind not in whose:
                source.mistake(("design", key), f"is for {' and '.join(whose)}, and this is a {kind}: leave it out")
        if kind == "grid":
            for path, levels in vary.values():
                if not levels.values:
                    source.mistake(path, "a grid needs steps: { from = 20, to = 80, steps = 7 }")
        elif kind in DRAWN and not vary:
            source.mistake(("design", "kind"), f"{kind} draws values of what is varied: [vary] is empty")
        elif kind == "list" and vary:
            source.mistake(("vary",), "a list of points already says what is varied: leave this out")
        elif kind == "list" and "file" not in design:
            source.mistake(("design",), 'a list needs a file: file = "points.csv"')
        elif kind == "list":
            try:
                name = POINTS_COPY if self.in_results else design["file"]
                listed = self.folder / name
                if listed.is_file() and within(self.folder, name) is None:
                    raise ValueError(f"{named(listed)}: a link leads out of the folder of the study")
                return read_points(listed)
            except ValueError as error:
                source.mistake(("design", "file"), str(error))
        return "", []

    def _columns(self, measure: Mapping[str, Any], ticks: int) -> tuple[str, ...]:
        every, after = measure.get("every", K["every"].default), measure.get("after", 0)
        until = measure.get("until", ticks)
        first = (after // every + 1) * every  # the first tick of the summary
        if every > ticks:
            self.source.mistake(("measure", "every"), f"nothing would be measured in {ticks:,} ticks")
        elif first > min(until, ticks):
            key = "until" if "until" in measure and first <= ticks else "after"
            self.source.mistake(("measure", key), "nothing that is measured would be in the summary")
        if not measure["columns"]:
            self.source.mistake(("measure", "columns"), "must name a measure")
        return tuple(dict.fromkeys(name for _, name in measure["columns"]))

    def _summary(self, value: Any, columns: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        if not isinstance(value, dict):
            refuse(self.source, ("measure", "summary"), "must be a table: a list of statistics for each measure")
            return {}
        found = {}
        for column, names in value.items():
            path: KeyPath = ("measure", "summary", column)
            if column not in columns:
                written = " (a name with a dot stands in quotes)" if isinstance(names, dict) else ""
                self.source.mistake(path, f"is not among the columns{did_you_mean(column, columns)}{written}")
                continue
            listed = Many(Name("statistic", STATISTICS), ", ".join(STATISTICS)).read(self.source, path, names)
            if not isinstance(listed, Wrong):
                found[column] = tuple(dict.fromkeys(name for _, name in listed))
        return found

    def _stop(self, measure: Mapping[str, Any], columns: tuple[str, ...]) -> Condition | None:
        if "stop" not in measure:
            return None
        path = ("measure", "stop")
        try:
            stop = Condition.read(measure["stop"])
        except ValueError as error:
            refuse(self.source, path, str(error))
            return None
        if stop.name not in columns:
            self.source.mistake(path, f"{stop.name} is not among the columns{did_you_mean(stop.name, columns)}")
        return stop

    def _try(self, scene: Scene, vary: Varied, points: list[tuple[int, Point]], columns: tuple[str, ...]) -> None:
        """Check that each value can be set, and each measure computed, in a world of the scene.

        The world is empty, unless a measure is unknown there: a mod may have it only if there is somebody.
        """
        with Simulation(scene, populate=False) as world:
            for key, (path, levels) in vary.items():
                for index, value in enumerate(levels.values or (levels.low, levels.high)):
                    if wrong := wrong_values(world, {key: value}):
                        of_value = " = " in wrong.partition(": ")[0] and not levels.is_range
                        self.source.mistake((*path, index) if of_value else path, wrong.removeprefix(f"{key}: "))
                        break
            for line, point in points:
                if wrong := wrong_values(world, point):
                    name = self.source.data["design"]["file"]
                    self.source.mistake(("design", "file"), f"{name}:{line}: {wrong}")
                    break
            if unknown := unknown_measures(world, columns):
                world.populate()
                unknown = unknown_measures(world, unknown)
        for index, name in enumerate(self.source.data["measure"]["columns"]):
            if name in unknown:
                self.source.mistake(("measure", "columns", index), unknown[name])
