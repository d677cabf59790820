"""Studies for scripts and notebooks: run one, read its tables, draw it."""

from __future__ import annotations

import warnings
from base64 import b64encode
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.extras.studies.packages import with_packages
from sandbox.files import AnyPath, named
from sandbox.script.given import path_given
from sandbox.warning import SandboxWarning

if TYPE_CHECKING:
    import pyarrow as pa

    from sandbox import Sandbox
    from sandbox.design.scene import Scene
    from sandbox.extras.studies.draw import Figure
    from sandbox.extras.studies.folder import StudyFolder
    from sandbox.extras.studies.study import Study

MOST_ROWS = 20  # rows of the table in a notebook


def study(path: AnyPath, mods: Iterable[AnyPath] = ()) -> StudyFile:
    """Open a study file, a bundled study by its name, or a folder of results.

    Args:
        mods: folders of mods to run in addition.
    Raises:
        SceneError: a ValueError with every mistake in the file, each with its place.
        MissingError: an ImportError: packages that studies need are not installed.
    """
    return StudyFile(path, mods)


class StudyFile:
    """A study for scripts; `sandbox.study` returns it."""

    def __init__(self, path: AnyPath, mods: Iterable[AnyPath]) -> None:
        """See `study`."""
        given = path_given(path, "the path of a study or a folder of results, or the name of a bundled study")
        self._folder = given if given.is_dir() else None
        self._mods = [Path(mod) for mod in mods]
        self._scene: Scene | None = None
        with with_packages():
            from sandbox.extras.studies.files import find_study
            from sandbox.extras.studies.folder import open_results

            if self._folder:
                self._study = open_results(self._folder).study
            else:
                self._study, self._scene = self._read(find_study(given))

    def _read(self, path: Path) -> tuple[Study, Scene]:
        from sandbox.extras.studies.read_study import read_study
        from sandbox.mods.load.library import own_library

        library = own_library(self._mods)
        try:
            return read_study(path, library)
        finally:
            for problem in library.problems:
                warnings.warn(problem, SandboxWarning, stacklevel=5)

    def run(
        self, folder: AnyPath, *, workers: int | None = None, scheduler: str | None = None, progress: bool = False
    ) -> StudyResults:
        """Do the runs that are not done yet, and write results to a folder; Ctrl+C loses only unfinished runs.

        Args:
            workers: the number of processes; None: one per core.
            scheduler: the address of a Dask cluster that does the runs instead, "tcp://host:8786".
            progress: show the progress on stderr.
        Raises:
            StudyError: a ValueError: the folder contains something else, or another process is running the study.
            OSError: it can't be written.
        """
        from sandbox.extras.studies.files import STUDY_COPY
        from sandbox.extras.studies.folder import begin_results
        from sandbox.extras.studies.run_study import run_study
        from sandbox.terminal import compile_if_cold, steps_with_time_left

        compile_if_cold()
        if self._scene is None:
            self._study, self._scene = self._read(Path(self._folder or "") / STUDY_COPY)
        results = begin_results(Path(folder), self._study, self._scene)
        with results.alone():
            runs = results.to_do()
            done = run_study(results, runs, self._scene, workers, scheduler)
            for _ in steps_with_time_left("Running", done, len(runs)) if progress else done:
                pass
        self._folder = results.path
        return StudyResults(results, self._mods)

    def results(self) -> StudyResults:
        """Return the results of all runs that are done so far.

        Raises:
            ValueError: the study was neither run nor opened as a folder.
        """
        from sandbox.extras.studies.folder import StudyFolder

        if self._folder is None:
            raise ValueError("this study has no results yet: run(FOLDER), or open the folder that has them")
        return StudyResults(StudyFolder(self._folder, self._study), self._mods)

    def __repr__(self) -> str:
        where = f"results in {named(self._folder)}" if self._folder else "not run"
        return f"<study of {self._study.scene_name!r}: {where}>"

    def _repr_html_(self) -> str | None:
        return self.results()._repr_html_() if self._folder else None


class StudyResults:
    """The results of a study; they grow while it runs."""

    def __init__(self, folder: StudyFolder, mods: Sequence[Path] = ()) -> None:
        self._folder, self._mods = folder, mods

    @property
    def table(self) -> pa.Table:
        """A row for each run that is done; the metadata of its fields has units and meanings."""
        return self._folder.table()

    @property
    def series(self) -> pa.Table:
        """A row for each measurement: run, tick, and the measures."""
        return self._folder.series()

    def to_pandas(self) -> Any:
        """Return `table` as a `pandas.DataFrame`.

        Raises:
            ImportError: pandas is not installed.
        """
        return self.table.to_pandas()

    def plot(self, theme: str = "light") -> list[Figure]:
        """Draw the pictures as matplotlib figures; `theme`: "light" or "dark".

        Raises:
            StudyError: a ValueError: there is nothing to draw.
        """
        with with_packages():
            from sandbox.extras.studies.draw import draw
            from sandbox.extras.studies.plots import pictures_of

            return [draw(picture, theme) for picture in pictures_of(self._folder)]

    def open(self, run: int) -> Sandbox:
        """Return the world of a run at its beginning; it needs the study's mods.

        Raises:
            ValueError: there is no such run, or a mod is missing or of another version.
        """
        from sandbox import Sandbox
        from sandbox.extras.studies.again import simulation_of_run
        from sandbox.mods.load.library import own_library

        return Sandbox(simulation_of_run(self._folder.path, run, own_library(self._mods))[0])

    def __len__(self) -> int:
        """Return the number of runs that are done."""
        return self._folder.runs - self._folder.left()

    def __repr__(self) -> str:
        return f"<{len(self):,} of {self._folder.runs:,} runs in {named(self._folder.path)}>"

    def _repr_html_(self) -> str:
        """Return the means of each point and the first picture, for a notebook."""
        from sandbox.extras.studies.showing import means_as_html

        figures = self.plot()[:1] if len(self) > self._folder.reasons().total() else []
        shown = [f'<img src="data:image/png;base64,{b64encode(figure._repr_png_()).decode()}">' for figure in figures]
        return "".join([means_as_html(self._folder, MOST_ROWS), *shown])
