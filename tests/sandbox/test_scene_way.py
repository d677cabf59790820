"""A scene's way from the command line to its world: through few files, and down only."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import sandbox
from sandbox.cli.options import opened
from tests.test_import_graph import FILES, ROOT, file_of, folder, imported

MOST_FILES = 20
COMPREHENSIONS = {"<genexpr>", "<listcomp>", "<dictcomp>", "<lambda>"}


@contextmanager
def calls_among(files: set[str]) -> Iterator[list[tuple[str, str]]]:
    """The calls from one of these files to another one of them, as they happen."""
    calls: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename in files and frame.f_code.co_name not in COMPREHENSIONS:
            caller = frame.f_back
            while caller and caller.f_code.co_filename not in files:
                caller = caller.f_back
            calls.append((caller.f_code.co_filename if caller else "", frame.f_code.co_filename))

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def folders_below() -> dict[str, set[str]]:
    """By folder, what it imports, and what these import."""
    below: dict[str, set[str]] = {folder(path): set() for path in FILES}
    for path in FILES:
        below[folder(path)] |= {folder(file) for name in imported(path) if (file := file_of(name))}
    for _ in below:
        for own in below.values():
            own |= {further for each in own for further in below[each]}
    return {name: own - {name} for name, own in below.items()}


def test_a_scene_passes_few_files_of_the_program_and_never_climbs_back() -> None:
    """Parts are installed and systems run by `install(app)`, from below: these calls are no climbs."""
    sandbox.load("pasture").close()  # everything is imported
    ours = {str(ROOT / path): path for path in FILES if path.parts[0] == "sandbox" and path.name != "__init__.py"}
    with calls_among(set(ours)) as calls:
        simulation, _ = opened("pasture", None, None, None)
    simulation.close()
    passed = sorted({os.path.relpath(file, ROOT) for _, file in calls})
    assert len(passed) <= MOST_FILES, passed
    below = folders_below()
    between = {(folder(ours[a]), folder(ours[b])) for a, b in calls if a}
    assert {"sandbox/scenes", "sandbox/design"} <= {name for pair in between for name in pair}
    assert not {(a, b) for a, b in between if a != b and a in below[b]}
