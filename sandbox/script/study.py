"""What scripts and notebooks do with a study: run it, read its tables, draw it."""

from __future__ import annotations

import warnings
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.files import AnyPath, named
from sandbox.studies.extra import extra
from sandbox.warning import SandboxWarning

if TYPE_CHECKING:
    import pyarrow as pa

    from sandbox.studies.draw import Figure
    from sandbox.studies.folder import StudyFolder

MOST_ROWS = 20  # of the table in a notebook


def study(path: AnyPath, mods: Iterable[AnyPath] = ()) -> StudyFile:
    """The study of a study file, of one that comes with the program by its name, or of a folder of results.

    Args:
        mods: folders of mods that are on too.
    Raises:
        SceneError: a ValueError with every mistake in the file, each with its place.
        MissingError: an ImportError: what studies need is not installed.
    """
    return StudyFile(path, mods)


class StudyFile:
    """A study as scripts use it: what `sandbox.study` returns."""

    def __init__(self, path: AnyPath, mods: Iterable[AnyPath]) -> None:
        """See `study`."""
        self._folder = Path(path) if Path(path).is_dir() else None
        with extra():
            from sandbox.mods.load.library import own_library
            from sandbox.scenes.bundled import find_study
            from sandbox.studies.folder import STUDY
            from sandbox.studies.read_study import read_study

            library = own_library([Path(mod) for mod in mods])
            try:
                self._study, self._scene = read_study(
                    self._folder / STUDY if self._folder else find_study(Path(path)), library
                )
            finally:
                for problem in library.problems:
                    warnings.warn(problem, SandboxWarning, stacklevel=4)

    def run(
        self, folder: AnyPath, *, workers: int | None = None, scheduler: str | None = None, progress: bool = False
    ) -> StudyResults:
        """Run what is still to be done, with the results in a folder; Ctrl+C loses only the runs at hand.

        Args:
            workers: how many processes; else one a core.
            scheduler: the address of a Dask cluster that runs it instead, "tcp://host:8786".
            progress: tell on stderr how far it is.
        Raises:
            StudyError: a ValueError: the folder holds something else.
            OSError: it can't be written.
        """
        from sandbox.studies.folder import StudyFolder
        from sandbox.studies.running import run_study, to_do
        from sandbox.terminal import compile_if_cold, steps_with_time_left

        compile_if_cold()
        results = StudyFolder(Path(folder), self._study)
        runs = to_do(results)
        done = run_study(results, runs, self._scene, workers, scheduler)
        for _ in steps_with_time_left("Running", done, len(runs)) if progress else done:
            pass
        self._folder = results.path
        return StudyResults(results)

    def results(self) -> StudyResults:
        """What the runs came to that are done so far.

        Raises:
            ValueError: it was neither run nor opened as a folder.
        """
        from sandbox.studies.folder import StudyFolder

        if self._folder is None:
            raise ValueError("this study has no results yet: run(FOLDER), or open the folder that has them")
        return StudyResults(StudyFolder(self._folder, self._study))

    def __repr__(self) -> str:
        where = f"results in {named(self._folder)}" if self._folder else "not run"
        return f"<study of {self._study.scene_name!r}: {where}>"

    def _repr_html_(self) -> str | None:
        return self.results()._repr_html_() if self._folder else None


class StudyResults:
    """The results of a study as they are now."""

    def __init__(self, folder: StudyFolder) -> None:
        self._folder = folder

    @property
    def table(self) -> pa.Table:
        """A row for each run that is done; the metadata of its fields says units and meanings."""
        return self._folder.table()

    @property
    def series(self) -> pa.Table:
        """A row for each time that something was measured: run, tick, and the measures."""
        return self._folder.series()

    def to_pandas(self) -> Any:
        """`table` as a `pandas.DataFrame`.

        Raises:
            ImportError: pandas is not installed.
        """
        return self.table.to_pandas()

    def plot(self, theme: str = "light") -> list[Figure]:
        """The pictures, as matplotlib figures; `theme`: "light" or "dark".

        Raises:
            StudyError: a ValueError: there is nothing to draw.
        """
        with extra():
            from sandbox.studies.draw import draw
            from sandbox.studies.pictures import pictures_of

            return [draw(picture, theme) for picture in pictures_of(self._folder)]

    def __len__(self) -> int:
        """How many runs are done."""
        return self._folder.runs - self._folder.left()

    def __repr__(self) -> str:
        return f"<{len(self):,} of {self._folder.runs:,} runs in {named(self._folder.path)}>"

    def _repr_html_(self) -> str:
        """The means of each point, and the first picture."""
        from sandbox.studies.showing import means_as_html

        figures = self.plot()[:1] if len(self) > self._folder.reasons().total() else []
        shown = [f'<img src="data:image/png;base64,{b64encode(figure._repr_png_()).decode()}">' for figure in figures]
        return "".join([means_as_html(self._folder, MOST_ROWS), *shown])
