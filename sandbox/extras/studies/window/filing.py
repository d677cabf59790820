"""Saves the study of the panel as a file, and opens runs of it."""

from __future__ import annotations

from pathlib import Path

from sandbox.app.files.dialog import FileType, Refuse, choose
from sandbox.app.files.folders import own_scenes
from sandbox.app.session.session import Session
from sandbox.files import free_name, write_atomically
from sandbox.language import translate
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.past.timeline import Timeline
from sandbox.scenes.writer import save_scene

STUDY = FileType("study (.toml)", (".toml",))
SECONDS = 15.0  # for which is told what to do with a file


def save_study(session: Session, text: str) -> None:
    """Ask for a file, and save a study to it and its scene beside it.

    Args:
        text: the contents of the study file, with {scene} in place of the name of the scene file.
    """

    def write(path: Path, refuse: Refuse) -> None:
        scene = free_name(path.with_stem(f"{path.stem}-scene"))
        try:
            save_scene(session.simulation, scene)
            write_atomically(path, text.replace("{scene}", scene.name).encode())
        except (ValueError, OSError) as error:
            refuse(str(error))
            return
        told = translate(
            "saved {path} and its scene {scene}: boids study run {name} --out results/",
            path=path,
            scene=scene.name,
            name=path.name,
        )
        session.messages.say(told, SECONDS)

    folder = session.document.folder or own_scenes(make=True)
    name = free_name(folder / "study.toml").name
    choose(session.document.folder, session.asking, "Save the study", (STUDY,), name, write)


def open_run(session: Session, folder: Path, run: int, words: str) -> None:
    """Open a run of a study and go to its end; its ticks are simulated again while it is shown.

    Args:
        folder: the folder of the results; `words`: describe the run.
    """

    def make(mods: LoadedMods) -> Timeline:
        from sandbox.extras.studies.again import run_as_timeline  # needs the packages of studies

        timeline, end = run_as_timeline(folder, run, mods)
        timeline.branch.last = timeline.opens_at = end
        return timeline

    name = translate("run {run:,}", run=run)
    session.services.filing.visit(make, f"{name}: {words}", name, "opening a run of the study")
