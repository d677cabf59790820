"""The folder of a study's results.

    study.toml, scene.toml      copies of the study and its scene; points.csv: of its list of points, if it has one
    pictures/                   copies of the pictures behind the world of the scene
    design.parquet              the points, drawn once; its metadata has the identity of the study
    journals/*.jsonl            results as workers wrote them
    parts/00017.parquet         the rows of 1,000 runs, once all of them are done
    series/00017.parquet        the measurements of these runs, one row each
    runs.parquet                all rows, once all runs are done
    failed.jsonl                the runs that failed, and why
    added/1/                    a measure that was added later, as the results of a study of its own

Runs are numbered by the study and the number of points: run = repeat x points + point.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sandbox.design.pictures import Pictures, copy_pictures, picture_file
from sandbox.design.scene import Scene
from sandbox.extras.studies.about import about
from sandbox.extras.studies.checked import StudyError, read_design, read_metadata, read_runs, read_series
from sandbox.extras.studies.design import count_of
from sandbox.extras.studies.journal import Journals
from sandbox.extras.studies.read_study import DESIGN, POINTS_COPY, SCENE_COPY, STUDY_COPY, read_begun, read_study
from sandbox.extras.studies.run import Result
from sandbox.extras.studies.study import Study
from sandbox.extras.studies.tables import IDENTITY, NO_KEY, Tables, drawn, keys_of
from sandbox.files import make_folder, named, read_file, reason, write_atomically, written_beside
from sandbox.files.atomic import PART as PART_FILE
from sandbox.mods.load.loaded_mods import LoadedMods

PART = 1000  # runs
RUNS, FAILED, ADDED, PICTURES = "runs.parquet", "failed.jsonl", "added", "pictures"
FOLDERS = ("journals", "parts", "series", PICTURES)
NUMBER = re.compile("[1-9][0-9]{0,5}")  # the name of a folder in ADDED
LOCK = re.compile(r"running-\d+-\d+\.lock")  # of another process that runs the same study
TRIES = 10  # while other processes merge parts


class StudyFolder:
    """The results of a study.

    Attributes:
        drawn: the table in the file of the design.
        design: the points, a table with a row for each point and a column for each key.
        keys: the keys of the design.
        tables: makes the rows of results.
        runs: the number of runs.
        journals: the results that workers wrote; some may be in parts already.
    """

    def __init__(self, path: Path, study: Study, design: pa.Table | None = None) -> None:
        """Open the folder, or create it if it does not exist or is empty.

        Args:
            design: the points for a new folder, if they were drawn before.
        Raises:
            StudyError: the folder contains something else, or links, through which other files would be written.
            WriteError: the folder can't be written.
        """
        self.path, self.study = path, study
        _refuse_links(path)
        if not (path / DESIGN).exists():
            self._begin(design)
        if read_metadata(path / DESIGN).get(IDENTITY) != study.identity.encode():
            raise StudyError(
                f"{named(path)}: its results are of another study, scene, mod or version of the program: "
                "choose another folder"
            )
        self.drawn = read_design(path / DESIGN, study.keys or [NO_KEY], count_of(study))
        self.keys = keys_of(self.drawn)
        self.design = self.drawn.select(self.keys)
        self.tables = Tables(study, self.design)
        self.runs = len(self.design) * study.repeats
        self.journals = Journals(path / "journals", self.runs, study)

    def _begin(self, design: pa.Table | None) -> None:
        path, study = self.path, self.study
        texts = {STUDY_COPY: study.text, SCENE_COPY: study.scene, POINTS_COPY: study.table}
        begun = {name: text.encode() for name, text in texts.items() if text}
        try:
            names = {entry.name for entry in path.iterdir()} if path.exists() else set()
            found = {name for name in names if not (PART_FILE.fullmatch(name) or LOCK.fullmatch(name))}
            is_ours = found <= {*begun, *FOLDERS, DESIGN} and all(
                read_file(path / name, len(text) + 1) == text for name, text in begun.items() if name in found
            )
        except OSError as error:
            raise StudyError(f"{named(path)}: can't be a folder of a study: {reason(error)}") from error
        if not is_ours:
            raise StudyError(f"{named(path)}: is not a study's folder: choose an empty or new one")
        make_folder(path)
        for name, text in begun.items():  # another process may be writing these too
            write_atomically(path / name, text)
        design = drawn(study) if design is None else design
        _write(design.replace_schema_metadata(about(study)), path / DESIGN)

    # ---- runs

    @property
    def varied(self) -> list[str]:
        """The keys that have more than one value."""
        return [key for key in self.keys if len(pc.unique(self.design[key])) > 1]

    def done(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return which runs have a result, bool, shape (runs,)."""
        parts, _ = self._written()
        self.journals.look()
        return self.journals.known | ~self._not_in(parts)

    def left(self) -> int:
        """Return the number of runs that are not done."""
        return int((~self.done()).sum())

    def reasons(self) -> Counter[str]:
        """Count the failed runs by reason."""
        return Counter(self._failed()["why"].to_pylist())

    def _failed(self) -> pa.Table:
        """Return the runs that failed, and why."""
        table = self.table(["run", "ended", "why"])
        return table.filter(pc.equal(table["ended"], "failed")).select(["run", "why"])

    def _range(self, part: int) -> slice:
        return slice(part * PART, min((part + 1) * PART, self.runs))

    def _not_in(self, parts: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return which runs are in none of these parts, bool, shape (runs,)."""
        found = np.ones(self.runs, bool)
        for part in parts:
            found[self._range(part)] = False
        return found

    def _written(self) -> tuple[list[int], list[Path]]:
        """Return the parts that are written, in order, and the files with their rows."""
        if (self.path / RUNS).exists():
            return [*range(self._parts)], [self.path / RUNS]
        numbers = {self._file("parts", part).name: part for part in range(self._parts)}
        parts = []
        for path in (self.path / "parts").glob("*.parquet"):
            if path.name not in numbers:
                raise StudyError(f"{named(path)}: is no part of this study, whose last is {[*numbers][-1]}: remove it")
            parts.append(numbers[path.name])
        return sorted(parts), [self._file("parts", part) for part in sorted(parts)]

    @property
    def _parts(self) -> int:
        """The number of parts of the complete study."""
        return -(-self.runs // PART)

    def _file(self, folder: str, part: int) -> Path:
        return self.path / folder / f"{part:05}.parquet"

    # ---- compaction

    def compact(self) -> None:
        """Write the parts whose runs are all done, and the table of all runs once all parts exist.

        Other processes may do so at the same time.

        Raises:
            WriteError: a file can't be written.
        """
        try:
            if not (self.path / RUNS).exists():
                self._put_together()
        except OSError:
            if not (self.path / RUNS).exists():  # else another process was faster
                raise
        if (self.path / RUNS).exists():
            for folder in ("parts", "journals"):
                shutil.rmtree(self.path / folder, ignore_errors=True)

    def _put_together(self) -> None:
        self.journals.look()
        known, parts = self.journals.known, [*self._written()[0]]
        for part in sorted({*range(self._parts)} - {*parts}):
            where = self._range(part)
            if known[where].all():
                with suppress(FileNotFoundError):  # another process was faster; the next call finds its part
                    results = list(self.journals.results(range(where.start, where.stop)))
                    _write(self.tables.series(results), self._file("series", part))
                    _write(self.tables.rows(results), self._file("parts", part))
                    parts.append(part)
        self.journals.clear(self._not_in(parts))
        if len(parts) == self._parts:
            self._finish()

    def _finish(self) -> None:
        failed = [json.dumps(row) + "\n" for row in self._failed().to_pylist()]
        write_atomically(self.path / FAILED, "".join(failed).encode())
        with written_beside(self.path / RUNS) as file, pq.ParquetWriter(file, self.tables.schema()) as writer:
            for part in range(self._parts):
                writer.write_table(self.rows_of(self._file("parts", part)))

    # ---- tables

    @property
    def summaries(self) -> list[tuple[str, str]]:
        """Column and statistic of each number of a run's summary, including those that were added."""
        return [*self.study.summaries, *self._added()]

    def added(self) -> list[Path]:
        """Return the folders of measures that were added, in order."""
        found = {int(path.name): path for path in self.path.glob(f"{ADDED}/*") if NUMBER.fullmatch(path.name)}
        return [found[number] for number in sorted(found)]

    def _added(self) -> dict[tuple[str, str], pa.Table]:
        """Return the columns that were added and are complete."""
        found = {}
        for path in self.added():
            if not (path / RUNS).exists():
                continue
            study = read_begun(path)
            schema = Tables(study, self.design).schema()
            same = (study.after, study.until) == (self.study.after, self.study.until)
            for name, statistic in study.summaries:
                said = name if same else f"{name} {study.after + 1}-{study.until}"
                column = f"{name} {statistic}"
                table = read_runs(path / RUNS, schema, range(self.runs), len(self.design), ["run", column])
                found[said, statistic] = table.select([column])
        return found

    def table(self, columns: list[str] | None = None) -> pa.Table:
        """Return the rows of all runs that are done, in order; `columns`: only these columns, `run` among them."""
        for _ in range(TRIES):
            with suppress(FileNotFoundError):  # another process has just merged the parts
                table = self._own_table(columns)
                break
        else:
            raise StudyError(f"{named(self.path)}: its files vanish while they are read: try again")
        for (name, statistic), added in ({} if columns else self._added()).items():
            field = added.schema.field(0).with_name(f"{name} {statistic}")
            table = table.add_column(table.schema.get_field_index("ticks"), field, added.column(0))
        return table

    def _own_table(self, columns: list[str] | None) -> pa.Table:
        """Return `table` without columns that were added."""
        parts, files = self._written()
        own = self.tables.rows(self._results_beside(parts))
        own = own.select(columns or own.column_names)
        return pa.concat_tables([*(self.rows_of(file, columns) for file in files), own]).sort_by("run")

    def files(self) -> list[Path]:
        """Return the files of the rows that are not only in journals."""
        return self._written()[1]

    def rows_of(self, file: Path, columns: list[str] | None = None) -> pa.Table:
        """Read one of `files`; `columns`: only these columns, `run` among them."""
        runs = range(self.runs) if file.name == RUNS else range(self.runs)[self._range(int(file.stem))]
        return read_runs(file, self.tables.schema(), runs, len(self.design), columns)

    def _results_beside(self, parts: Iterable[int]) -> list[Result]:
        """Return the results in journals that are in none of these parts."""
        self.journals.look()
        runs = np.flatnonzero(self.journals.known & self._not_in(parts))
        return list(self.journals.results(runs.tolist()))

    def series(self) -> pa.Table:
        """Return the measurements of all runs that are done, one row each, sorted by run and tick."""
        parts, _ = self._written()
        own = self.tables.series(self._results_beside(parts))
        each = self.study.ticks // self.study.every
        tables = []
        for part in parts:
            runs = range(self.runs)[self._range(part)]
            tables.append(read_series(self._file("series", part), own.schema, runs, each * len(runs)))
        return pa.concat_tables([*tables, own]).sort_by([("run", "ascending"), ("tick", "ascending")])


def begin_results(path: Path, study: Study, scene: Scene) -> StudyFolder:
    """Create or open a folder of results, and copy the pictures of the scene into it for whoever opens a run."""
    folder = StudyFolder(path, study)
    pictures = scene.tables.get(Pictures.table, {}).values()
    copy_pictures({own["file"]: file for own in pictures if (file := picture_file(own, scene.folder))}, path / PICTURES)
    return folder


def open_results(path: Path) -> StudyFolder:
    """Open the results in a folder, for reading only: neither the scene nor its mods are opened.

    Raises:
        ValueError: the folder has no results, or they are of another version of the program; or a file has a mistake.
    """
    _refuse_other_folder(path)
    return StudyFolder(path, read_begun(path))


def open_to_run(path: Path, mods: LoadedMods) -> tuple[StudyFolder, Scene]:
    """Open the results in a folder; return them with their scene, whose runs can be run again.

    Raises:
        ValueError: as in `open_results`; or its mods are not on, or are of another version.
    """
    _refuse_other_folder(path)
    study, scene = read_study(path / STUDY_COPY, mods)
    scene.folder = path.absolute() / PICTURES
    return StudyFolder(path, study), scene


def _refuse_links(path: Path) -> None:
    for found in (*path.glob("*"), *path.glob("*/*")):
        if found.is_symlink():
            raise StudyError(f"{named(found)}: is a link, and a folder of results has none: put the file in its place")


def _refuse_other_folder(path: Path) -> None:
    if not all((path / name).exists() for name in (STUDY_COPY, DESIGN)):
        raise StudyError(f"{named(path)}: is not a study's folder: boids study run FILE --out FOLDER makes one")


def _write(table: pa.Table, path: Path) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    make_folder(path.parent)
    write_atomically(path, sink.getvalue().to_pybytes())
