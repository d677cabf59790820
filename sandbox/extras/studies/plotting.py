"""Writes the pictures and the report of a study into a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sandbox.extras.studies.draw import THEMES, draw, png_of
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.pictures import pictures_of
from sandbox.extras.studies.report import report
from sandbox.files import make_folder, write_atomically


def plot(folder: StudyFolder, out: Path) -> Iterator[Path]:
    """Write NAME.png and NAME-dark.png of each picture, and report.html; yield each path once it is written.

    Raises:
        StudyError: there is nothing to draw.
        WriteError: a file can't be written.
    """
    pictures = pictures_of(folder)
    make_folder(out)
    for picture in pictures:
        for theme in THEMES:
            path = out / (f"{picture.name}.png" if theme == "light" else f"{picture.name}-{theme}.png")
            write_atomically(path, png_of(draw(picture, theme)))
            yield path
    path = out / "report.html"
    write_atomically(path, report(folder, pictures).encode())
    yield path
