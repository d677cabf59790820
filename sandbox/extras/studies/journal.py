"""Journals: each worker appends the results of its runs to its own file, one line each.

A line is the JSON of a `Result`. A worker that is killed leaves at most one incomplete line, which is ignored, so that
its run is repeated.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from sandbox.extras.studies.checked import AGAIN, StudyError
from sandbox.extras.studies.run import ENDS, LONGEST_WHY, Result
from sandbox.extras.studies.study import Study
from sandbox.files import WriteError, named, open_file, reason

RUN = re.compile(rb'\{"run":(\d{1,12}),')
FULL = 1000  # lines
LONGEST_NUMBER, LONGEST_LETTER = 32, 12  # bytes


class Journal:
    """Appends results to a new file in a folder, and to another one when that is full."""

    def __init__(self, folder: Path) -> None:
        """Create the first file.

        Raises:
            WriteError: it can't be created.
        """
        self._folder, self._lines = folder, 0
        self._file = self._new()

    def _new(self) -> io.FileIO:
        path = self._folder / f"{os.getpid()}-{os.urandom(6).hex()}.jsonl"
        try:
            self._folder.mkdir(exist_ok=True)
            return open(path, "ab", buffering=0)
        except OSError as error:
            raise WriteError(f"{named(path)}: can't be written: {reason(error)}") from error

    def append(self, line: bytes) -> None:
        """Append a line, completely or not at all.

        Raises:
            WriteError: it can't be written, for example because the disk is full.
        """
        if self._lines == FULL:
            self._file.close()
            self._file, self._lines = self._new(), 0
        before, rest = self._file.tell(), memoryview(line)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self._file.truncate(before)
            raise WriteError(f"{named(self._folder)}: a result can't be written: {reason(error)}") from error
        self._lines += 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def line_of(result: Result) -> bytes:
    """Return a result as a line of a journal."""
    return json.dumps(vars(result), separators=(",", ":")).encode() + b"\n"


class Journals:
    """An index of the journals of a folder: the file and offset of each run's result.

    Attributes:
        known: whether a run has a result, bool, shape (runs,).
    """

    def __init__(self, folder: Path, runs: int, study: Study) -> None:
        self._folder, self._study = folder, study
        numbers = len(study.summaries) + (len(study.columns) + 1) * (study.ticks // study.every)
        self._longest = 4096 + LONGEST_LETTER * LONGEST_WHY + LONGEST_NUMBER * numbers  # bytes of a line
        self._files: dict[Path, int] = {}  # the number of each file
        self._read: dict[Path, tuple[int, int]] = {}  # bytes and lines that were read of each file
        self._file, self._offset = np.full(runs, -1, np.int32), np.zeros(runs, np.int64)

    @property
    def known(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return self._file >= 0

    def look(self) -> None:
        """Index the lines added since the last call.

        Raises:
            StudyError: a file can't be read, or has a line that is too long.
        """
        for path in sorted(self._folder.glob("*.jsonl")):
            with suppress(FileNotFoundError):  # another process cleared it
                place = self._files.setdefault(path, len(self._files))
                for offset, run in self._new_lines(path):
                    if run < len(self._file) and self._file[run] < 0:
                        self._file[run], self._offset[run] = place, offset

    def _new_lines(self, path: Path) -> Iterator[tuple[int, int]]:
        """Yield the offset and the run of each complete new line."""
        offset, count = self._read.get(path, (0, 0))
        with _opened(path) as file:
            file.seek(offset)
            while line := file.readline(self._longest + 1):
                if len(line) > self._longest:
                    raise StudyError(f"{named(path)}:{count + 1}: is longer than a result of this study: {AGAIN}")
                if not line.endswith(b"\n"):
                    break
                if (found := RUN.match(line)) and line.endswith(b"}\n"):
                    yield offset, int(found[1])
                offset, count = offset + len(line), count + 1
        self._read[path] = offset, count

    def results(self, runs: Sequence[int]) -> Iterator[Result]:
        """Yield the results of these runs, in this order.

        Raises:
            FileNotFoundError: another process removed a journal, because its runs are in parts now.
            StudyError: a line is not a result of the study; the message has the file and the line.
        """
        paths = [*self._files]
        with ExitStack() as stack:
            files = {place: stack.enter_context(_opened(paths[place])) for place in {*self._file[runs].tolist()}}
            for run in runs:
                file = files[int(self._file[run])]
                file.seek(int(self._offset[run]))
                try:
                    yield _result(file.readline(), run, self._study)
                except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
                    file.seek(0)
                    line = file.read(int(self._offset[run])).count(b"\n") + 1
                    path = paths[int(self._file[run])]
                    raise StudyError(f"{named(path)}:{line}: is not a result of this study: {AGAIN}") from None

    def clear(self, needed: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
        """Remove full journals without results of `needed` runs, bool, shape (runs,)."""
        kept = {*self._file[needed & self.known].tolist()}
        for path, place in self._files.items():
            if place not in kept and self._read.get(path, (0, 0))[1] >= FULL:
                path.unlink(missing_ok=True)


def _opened(path: Path) -> BinaryIO:
    try:
        return open_file(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StudyError(f"{named(path)}: {reason(error)}") from None


def _result(line: bytes, run: int, study: Study) -> Result:
    """Read a line; raise some error if it is not a result of the run."""
    found = json.loads(line)
    result = Result(
        run=found.pop("run"),
        digest=_text(found.pop("digest")),
        ticks=_whole(found.pop("ticks"), study.ticks),
        ended=_text(found.pop("ended")),
        why=_text(found.pop("why")),
        seconds=float(found.pop("seconds")),
        summary=[float(value) for value in found.pop("summary")],
        series={name: [float(value) for value in values] for name, values in found.pop("series").items()},
    )
    ticks = [_whole(tick, study.ticks) for tick in result.series.get("tick", ())]
    if (
        found
        or result.run != run
        or result.ended not in ENDS
        or len(result.summary) != len(study.summaries)
        or (result.series and {*result.series} != {"tick", *study.columns})
        or any(len(values) != len(ticks) for values in result.series.values())
    ):
        raise ValueError
    return replace(result, series={**result.series, **({"tick": ticks} if result.series else {})})


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    value.encode()  # refuses half characters
    return value


def _whole(value: float, most: int) -> int:
    if not 0 <= value <= most or value != int(value):
        raise ValueError
    return int(value)
