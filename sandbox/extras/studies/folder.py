"""The folder of a study's results.

    study.toml, scene.toml      copies of the study and its scene; points.csv: of its list of points, if it has one
    pictures/                   copies of the pictures behind the world of the scene
    design.parquet              the points, drawn once; its metadata has the identity of the study
    unfinished.sqlite           results as they come, until all runs are done
    runs.parquet                a row for each run, once all are done
    series.parquet              a row for each measurement
    failed.jsonl                the runs that failed, and why

Runs are numbered by the study and the number of points: run = repeat x points + point.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sandbox.design.pictures import Pictures, copy_pictures
from sandbox.design.scene import Scene
from sandbox.extras.studies.about import about
from sandbox.extras.studies.checked import (
    StudyError,
    added_columns,
    read_design,
    read_metadata,
    read_runs,
    read_series,
)
from sandbox.extras.studies.design import count_of
from sandbox.extras.studies.files import DESIGN, PICTURES, POINTS_COPY, SCENE_COPY, STUDY_COPY
from sandbox.extras.studies.read_study import read_begun, read_study
from sandbox.extras.studies.store import Store
from sandbox.extras.studies.study import Study
from sandbox.extras.studies.tables import IDENTITY, NO_KEY, Tables, drawn, keys_of
from sandbox.files import make_folder, named, read_file, reason, write_atomically, written_beside
from sandbox.files.atomic import UNFINISHED
from sandbox.mods.load.loaded_mods import LoadedMods
from systems.engine.file_lock import HeldError, take

RUNS, SERIES, FAILED = "runs.parquet", "series.parquet", "failed.jsonl"
STORE, LOCK = "unfinished.sqlite", "running.lock"


class StudyFolder:
    """The results of a study.

    Attributes:
        design: the points, a table with a row for each point and a column for each key.
        keys: the keys of the design.
        tables: makes the rows of results.
        runs: the number of runs.
        store: the results as they come.
    """

    def __init__(self, path: Path, study: Study) -> None:
        """Open the folder, or create it if it does not exist or is empty.

        Raises:
            StudyError: the folder contains something else, or links, through which other files would be written.
            WriteError: the folder can't be written.
        """
        self.path, self.study = path, study
        _refuse_links(path)
        if not (path / DESIGN).exists():
            self._begin()
        if read_metadata(path / DESIGN).get(IDENTITY) != study.identity.encode():
            raise StudyError(
                f"{named(path)}: its results are of another study, scene, mod or version of the program: "
                "choose another folder"
            )
        drawn = read_design(path / DESIGN, study.keys or [NO_KEY], count_of(study))
        self.keys = keys_of(drawn)
        self.design = drawn.select(self.keys)
        self.tables = Tables(study, self.design)
        self.runs = len(self.design) * study.repeats
        self.store = Store(path / STORE, study, self.runs)

    def _begin(self) -> None:
        path, study = self.path, self.study
        texts = {STUDY_COPY: study.text, SCENE_COPY: study.scene, POINTS_COPY: study.table}
        begun = {name: text.encode() for name, text in texts.items() if text}
        try:
            names = {entry.name for entry in path.iterdir()} if path.exists() else set()
            found = {name for name in names if not UNFINISHED.fullmatch(name)}
            is_ours = found <= {*begun, PICTURES, LOCK} and all(
                read_file(path / name, len(text) + 1) == text for name, text in begun.items() if name in found
            )
        except OSError as error:
            raise StudyError(f"{named(path)}: can't be a folder of a study: {reason(error)}") from error
        if not is_ours:
            raise StudyError(f"{named(path)}: is not a study's folder: choose an empty or new one")
        make_folder(path)
        for name, text in begun.items():
            write_atomically(path / name, text)
        with written_beside(path / DESIGN) as file:
            pq.write_table(drawn(study).replace_schema_metadata(about(study)), file)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes from running this study, which would do every run twice.

        Raises:
            StudyError: another process runs it; the message says how far it is.
        """
        lock = None
        try:
            lock = take(self.path / LOCK)
        except HeldError:
            done = self.runs - self.left()
            raise StudyError(
                f"{named(self.path)}: another process is running this study; {done:,} of {self.runs:,} runs are "
                f"done: boids study show {named(self.path)} shows them"
            ) from None
        except OSError:  # on a disk without locks, nobody is kept from it
            pass
        try:
            yield
        finally:
            if lock is not None:
                lock.remove()

    # ---- runs

    @property
    def varied(self) -> list[str]:
        """The keys that have more than one value."""
        return [key for key in self.keys if len(pc.unique(self.design[key])) > 1]

    @property
    def is_done(self) -> bool:
        """Whether all runs are done and the tables written."""
        return (self.path / RUNS).exists()

    def to_do(self) -> list[int]:
        """Return the runs without a result, in order."""
        left: NDArray[np.int64] = np.flatnonzero(~self.store.done())
        return [] if self.is_done else left.tolist()

    def left(self) -> int:
        """Return the number of runs that are not done."""
        return len(self.to_do())

    def reasons(self) -> Counter[str]:
        """Count the failed runs by reason."""
        return Counter(failures(self.table(["run", "ended", "why"]))["why"].to_pylist())

    def finish(self) -> None:
        """Write the tables, once all runs are done.

        Raises:
            WriteError: a file can't be written.
        """
        if not self.is_done and not self.to_do():
            told = []
            with (
                written_beside(self.path / RUNS) as runs,
                written_beside(self.path / SERIES) as series,
                pq.ParquetWriter(runs, self.tables.schema()) as of_runs,
                pq.ParquetWriter(series, self.tables.series_schema()) as of_series,
            ):
                for results in self.store.chunks():
                    table = self.tables.rows(results)
                    of_runs.write_table(table)
                    of_series.write_table(self.tables.series(results))
                    told += failures(table).to_pylist()
            write_atomically(self.path / FAILED, "".join(json.dumps(row) + "\n" for row in told).encode())
        if self.is_done:
            self.store.remove()

    # ---- tables

    @property
    def summaries(self) -> list[tuple[str, str]]:
        """Column and statistic of each number of a run's summary, including those that were added."""
        added = added_columns(self.path / RUNS, self.tables.schema()) if self.is_done else []
        pairs = (name.rpartition(" ") for name in added)
        return [*self.study.summaries, *((column, statistic) for column, _, statistic in pairs)]

    def table(self, columns: list[str] | None = None) -> pa.Table:
        """Return the rows of all runs that are done, in order; `columns`: only these columns, `run` among them."""
        schema = self.tables.schema()
        if not self.is_done:
            rows = pa.concat_tables([schema.empty_table(), *map(self.tables.rows, self.store.chunks())])
        if self.is_done:  # by now
            return read_runs(self.path / RUNS, schema, self.runs, len(self.design), columns)
        return rows.select(columns or rows.column_names)

    def series(self) -> pa.Table:
        """Return the measurements of all runs that are done, one row each, sorted by run and tick."""
        schema, each = self.tables.series_schema(), self.study.ticks // self.study.every
        if not self.is_done:
            rows = pa.concat_tables([schema.empty_table(), *map(self.tables.series, self.store.chunks())])
        return read_series(self.path / SERIES, schema, self.runs, each * self.runs) if self.is_done else rows

    def add_column(self, field: pa.Field, values: NDArray[np.float64]) -> None:
        """Add a number of each run to the table of runs.

        Raises:
            WriteError: it can't be written.
        """
        table = self.table()
        with written_beside(self.path / RUNS) as file:
            pq.write_table(table.add_column(table.schema.get_field_index("ticks"), field, pa.array(values)), file)


def failures(table: pa.Table) -> pa.Table:
    """Return the runs that failed, and why."""
    return table.filter(pc.equal(table["ended"], "failed")).select(["run", "why"])


def begin_results(path: Path, study: Study, scene: Scene) -> StudyFolder:
    """Create or open a folder of results, and copy the pictures of the scene into it for whoever opens a run."""
    folder = StudyFolder(path, study)
    pictures = Pictures(scene.tables.get(Pictures.table, {}))
    copy_pictures(pictures.files(scene.folder), path / PICTURES)
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
