"""Journals: each worker appends the results of its runs to a file of its own, a line each, whole or not at all.

A line is the JSON of a `Result`. A worker that is killed leaves at most one line without its end, which counts for
nothing: that run is run again.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import numpy as np

from sandbox.files import WriteError, named, reason
from sandbox.studies.run import Result

RUN = re.compile(rb'\{"run":(\d{1,12}),')
FULL = 1000  # lines


class Journal:
    """Appends results to a new file in a folder, and when that is full to another."""

    def __init__(self, folder: Path) -> None:
        """Raises WriteError if there can be none."""
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
        """Add a line whole, or not at all.

        Raises:
            WriteError: the disk is full, ...
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
        """No more is added."""
        self._file.close()


def line_of(result: Result) -> bytes:
    """A result as a line."""
    return json.dumps(vars(result), separators=(",", ":")).encode() + b"\n"


class Journals:
    """Where in the journals of a folder the result of each run stands.

    Attributes:
        known: whether a run has one, bool, shape (runs,).
    """

    def __init__(self, folder: Path, runs: int) -> None:
        self._folder = folder
        self._files: dict[Path, int] = {}  # which one it is
        self._read: dict[Path, tuple[int, int]] = {}  # of each, bytes and lines
        self._file, self._offset = np.full(runs, -1, np.int32), np.zeros(runs, np.int64)

    @property
    def known(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return self._file >= 0

    def look(self) -> None:
        """Take up what was added since."""
        for path in sorted(self._folder.glob("*.jsonl")):
            with suppress(FileNotFoundError):  # another process cleared it
                place = self._files.setdefault(path, len(self._files))
                for offset, run in self._new_lines(path):
                    if run < len(self._file) and self._file[run] < 0:
                        self._file[run], self._offset[run] = place, offset

    def _new_lines(self, path: Path) -> Iterator[tuple[int, int]]:
        """Where each whole line begins that was added, and the run that it is of."""
        offset, count = self._read.get(path, (0, 0))
        with open(path, "rb") as file:
            file.seek(offset)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                if (found := RUN.match(line)) and line.endswith(b"}\n"):
                    yield offset, int(found[1])
                offset, count = offset + len(line), count + 1
        self._read[path] = offset, count

    def results(self, runs: Sequence[int]) -> Iterator[Result]:
        """The results of these runs, in their order.

        Raises:
            FileNotFoundError: another process cleared a journal, for the runs are in parts by now.
        """
        paths = [*self._files]
        with ExitStack() as stack:
            files = {place: stack.enter_context(open(paths[place], "rb")) for place in {*self._file[runs].tolist()}}
            for run in runs:
                file = files[int(self._file[run])]
                file.seek(int(self._offset[run]))
                yield Result(**json.loads(file.readline()))

    def clear(self, needed: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
        """Remove the journals that are full, and have no result of a run that is needed, bool, shape (runs,)."""
        kept = {*self._file[needed & self.known].tolist()}
        for path, place in self._files.items():
            if place not in kept and self._read.get(path, (0, 0))[1] >= FULL:
                path.unlink(missing_ok=True)
