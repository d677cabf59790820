"""Results as they come: a row for each run in an SQLite file, until all runs are done.

One process writes. A result that was added survives the end of that process at any moment. The file may be a
stranger's: each row is checked when it is read, and its schema before anything else is done with it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.extras.studies.checked import AGAIN, StudyError
from sandbox.extras.studies.run import ENDS, LONGEST_WHY, Result
from sandbox.extras.studies.study import Study
from sandbox.files import WriteError, named, open_file, reason

COLUMNS = {  # as the fields of `Result`
    "run": "INTEGER PRIMARY KEY",
    **{"seed": "INTEGER", "key": "TEXT", "ended": "TEXT", "why": "TEXT", "ticks": "INTEGER", "digest": "TEXT"},
    **{"seconds": "REAL", "summary": "BLOB", "series": "BLOB"},
}
TYPES = int, int, str, str, str, int, str, float, bytes, bytes
TABLE = f"CREATE TABLE results ({', '.join(f'{name} {kind}' for name, kind in COLUMNS.items())})"
INSERT = f"INSERT OR IGNORE INTO results VALUES ({', '.join('?' * len(COLUMNS))})"
ROLLBACK = "-journal"  # SQLite's file beside it, from which an interrupted write is undone
SUPER = bytes.fromhex("d9d505f920a163d7")  # at the end of such a file: it names others, which SQLite would delete
HEADER = b"SQLite format 3\0"
PATIENCE = 60.0  # s, while another process reads or writes
LONGEST_TEXT = 4 * LONGEST_WHY + 1000  # bytes of the texts of a row
CHUNK, CHUNK_BYTES = 2000, 16 << 20  # how much is read at a time
LARGEST = 1_000_000_000  # bytes of a row, of SQLite


class Store:
    """The results in a file, which is created when the first are added."""

    def __init__(self, path: Path, study: Study, runs: int) -> None:
        self.path, self._study, self._runs = path, study, runs
        self._most = study.ticks // study.every  # measurements of a run
        self._rows = len(study.columns) + 1  # of a series
        self._summaries = len(study.summaries)
        self._is_checked = False

    def add(self, results: Sequence[Result]) -> None:
        """Write results, all or none.

        Raises:
            WriteError: they can't be written, for example because the disk is full.
            StudyError: the file is damaged.
        """
        with self._opened(create=True) as connection, connection:
            connection.executemany(INSERT, map(_row, results))

    def done(self) -> NDArray[np.bool_]:
        """Return which runs have a result, bool, shape (runs,)."""
        found = np.zeros(self._runs, bool)
        found[[run for (run,) in self._read("run")]] = True
        return found

    def chunks(self) -> Iterator[list[Result]]:
        """Yield all results, sorted by run, some thousands at a time.

        Raises:
            StudyError: the file is damaged, or a row is not a result of the study; the message has its run.
        """
        chunk: list[Result] = []
        size = total = 0
        for row in self._read("*"):
            chunk.append(self._result(row))
            size += chunk[-1].series.nbytes
            if len(chunk) == CHUNK or size > CHUNK_BYTES:
                total += size
                if total > self.path.stat().st_size:  # rows of a damaged file may share pages
                    raise self._damaged()
                yield self._checked(chunk)
                chunk, size = [], 0
        if chunk:
            yield self._checked(chunk)

    def remove(self) -> None:
        """Remove the file."""
        for path in (self.path, self._rollback):
            path.unlink(missing_ok=True)

    @property
    def _rollback(self) -> Path:
        return self.path.with_name(self.path.name + ROLLBACK)

    def _read(self, columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield these columns, `run` first, of all rows, sorted by run."""
        if not self.path.exists():
            return
        try:
            with self._opened() as connection:
                if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:  # it is just being created
                    return
                last = -1
                for row in connection.execute(f"SELECT {columns} FROM results ORDER BY run"):
                    if type(row[0]) is not int or not last < row[0] < self._runs:  # else a damaged file may never end
                        raise self._damaged()
                    last = row[0]
                    yield row
        except WriteError:
            if self.path.exists():  # else another process has just written the tables and removed it
                raise

    def _result(self, row: tuple[Any, ...]) -> Result:
        run, seed, key, ended, why, ticks, digest, seconds, summary, series = row
        if not (
            tuple(map(type, row)) == TYPES
            and ended in ENDS
            and 0 <= ticks <= self._study.ticks
            and len(summary) == 8 * self._summaries
            and len(series) % (8 * self._rows) == 0
            and len(series) <= 8 * self._rows * self._most
        ):
            raise self._no_result(run)
        measured = np.frombuffer(summary), np.frombuffer(series).reshape(self._rows, -1)
        return Result(run, seed, key, ended, why, ticks, digest, seconds, *measured)

    def _checked(self, chunk: list[Result]) -> list[Result]:
        """Return results whose measurements were at ticks of a run."""
        ticks = np.concatenate([result.series[0] for result in chunk])
        wrong = ~((ticks >= 0) & (ticks <= self._study.ticks) & (ticks == np.floor(ticks)))
        if wrong.any():
            runs = np.repeat([result.run for result in chunk], [result.series.shape[1] for result in chunk])
            raise self._no_result(int(runs[np.argmax(wrong)]))
        return chunk

    def _no_result(self, run: int) -> StudyError:
        return StudyError(f"{named(self.path)}: its row of run {run:,} is not a result of this study: {AGAIN}")

    @contextmanager
    def _opened(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        """Open the file after its schema was checked; translate errors of SQLite."""
        if not self._is_checked and self.path.exists():
            self._check_files()
        self._is_checked = True
        try:
            address = f"{self.path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
            with closing(sqlite3.connect(address, PATIENCE, isolation_level="IMMEDIATE", uri=True)) as connection:
                numbers = self._rows * self._most + self._summaries
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(LONGEST_TEXT + 8 * numbers, LARGEST))
                for pragma in ("trusted_schema = OFF", "temp_store = MEMORY", "journal_mode = TRUNCATE"):
                    connection.execute(f"PRAGMA {pragma}")
                if create:
                    with connection:
                        connection.execute("BEGIN IMMEDIATE")
                        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                            connection.execute(TABLE)
                if connection.execute("SELECT sql FROM sqlite_master LIMIT 2").fetchall() not in ([(TABLE,)], []):
                    raise self._damaged()
                yield connection
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter if SQLite's message quotes damaged bytes
            raise self._error(error) from None

    def _check_files(self) -> None:
        """Refuse what is no SQLite file, or would make SQLite touch files elsewhere."""
        try:
            with open_file(self.path) as file:
                header = file.read(20)
            with suppress(FileNotFoundError), open_file(self._rollback) as file:
                file.seek(max(file.seek(0, 2) - len(SUPER), 0))
                if file.read() == SUPER:
                    raise self._damaged()
        except OSError as error:
            raise StudyError(f"{named(self.path)}: {reason(error)}") from None
        if header and (not header.startswith(HEADER) or header[18:20] != b"\1\1"):  # 2: it would be in WAL mode
            raise self._damaged()

    def _error(self, error: Exception) -> Exception:
        code = getattr(error, "sqlite_errorname", "") or ""
        if code.startswith(("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
            return WriteError(f"{named(self.path)}: a result can't be written: {error}")
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return StudyError(f"{named(self.path)}: another process has been writing it for a minute: try again")
        return self._damaged()

    def _damaged(self) -> StudyError:
        return StudyError(f"{named(self.path)}: is damaged or cut: {AGAIN}")


def _row(result: Result) -> tuple[Any, ...]:
    return (*result[:-2], result.summary.tobytes(), result.series.tobytes())
