"""Journals: each worker appends the results of its runs to a file of its own, a line each, whole or not at all.

A line is the JSON of a `Result`. A worker that is killed leaves at most one line without its end, which counts for
nothing: that run is run again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sandbox.studies.run import Result

RUN = re.compile(rb'\{"run":(\d{1,12}),')
CHUNK = 1 << 20  # bytes


class Journal:
    """Appends results to a new file in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._file = open(folder / f"{os.getpid()}-{os.urandom(6).hex()}.jsonl", "ab", buffering=0)  # noqa: SIM115

    def append(self, result: Result) -> None:
        """Add a line.

        Raises:
            OSError: the disk is full, ...
        """
        line = memoryview(line_of(result))
        while line:
            line = line[self._file.write(line) :]

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
        self._files: list[Path] = []
        self._read: dict[Path, int] = {}  # bytes
        self._file, self._offset = np.full(runs, -1, np.int32), np.zeros(runs, np.int64)

    @property
    def known(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return self._file >= 0

    def look(self) -> None:
        """Take up what was added since."""
        for path in sorted(self._folder.glob("*.jsonl")):
            if path not in self._read:
                self._files.append(path)
                self._read[path] = 0
            place = self._files.index(path)
            for offset, run in self._new_lines(path):
                if run < len(self._file) and self._file[run] < 0:
                    self._file[run], self._offset[run] = place, offset

    def _new_lines(self, path: Path) -> Iterator[tuple[int, int]]:
        """Where each whole line begins that was added, and the run that it is of."""
        offset = self._read[path]
        with open(path, "rb") as file:
            file.seek(offset)
            rest = b""
            while chunk := file.read(CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    if found := RUN.match(line):
                        yield offset, int(found[1])
                    offset += len(line) + 1
        self._read[path] = offset

    def results(self, runs: range) -> Iterator[Result]:
        """The results of these runs, in order."""
        for run in runs:
            with open(self._files[self._file[run]], "rb") as file:
                file.seek(int(self._offset[run]))
                yield Result(**json.loads(file.readline()))
