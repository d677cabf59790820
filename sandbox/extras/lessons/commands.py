"""The commands for lessons: `boids lesson play`, `check` and `list`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.cli.options import ModOption, library_with
from sandbox.files import named
from sandbox.terminal import has_display, say, show_table

if TYPE_CHECKING:
    from sandbox.extras.lessons.lesson import Lesson
    from sandbox.mods.load.loaded_mods import LoadedMods

lesson_app = typer.Typer(
    help="Lessons: a scene, and steps to do in the window (docs/lessons.md).", no_args_is_help=True
)


@lesson_app.command()
def play(
    lesson: Annotated[str, typer.Argument(help="A lesson's name (see `boids lesson list`) or file.")],
    mods: ModOption = None,
) -> None:
    """Open the window on a lesson."""
    if not has_display():
        raise ValueError(f"{named(lesson)}: a lesson needs a window, and there is no display")
    from sandbox.app.run_window import start
    from sandbox.extras.lessons.window.teaching import teaching_of
    from sandbox.opening import load

    library = library_with(mods)
    found = found_lesson(lesson, library)
    start(
        str(found.scene),
        lambda: load(found.scene, mods=library),
        library,
        lambda session: teaching_of(session).begin(session, found),
    )


@lesson_app.command()
def check(
    lessons: Annotated[list[Path], typer.Argument(metavar="LESSON...", readable=False, help="Lesson files or names.")],
    mods: ModOption = None,
) -> None:
    """List all mistakes of lesson files; exit 1 if there are any."""
    wrong, library = 0, library_with(mods)
    for name in lessons:
        try:
            lesson = found_lesson(name, library)
        except (ValueError, OSError) as error:
            wrong += 1
            say(error)
        else:
            say(f"{named(name)}: good: {len(lesson.steps)} steps")
    raise typer.Exit(1 if wrong else 0)


@lesson_app.command("list")
def list_() -> None:
    """List the lessons that come with the program: boids lesson play NAME begins one."""
    from sandbox.extras.lessons.bundled import about, lessons_in

    rows = [(path.stem, *about(path)[:2]) for path in lessons_in()]
    show_table(("lesson", "title", "what it is about"), rows)


def found_lesson(name: Path | str, mods: LoadedMods) -> Lesson:
    """Find a lesson by its name or file, and read and check it.

    Raises:
        FileNotFoundError, SceneError: there is none, or it has mistakes.
    """
    from sandbox.app.parts import BUILT_IN
    from sandbox.extras.lessons.bundled import find_lesson
    from sandbox.extras.lessons.reader import read_lesson
    from sandbox.extras.lessons.window.teaching import window_names
    from systems.engine.app import installed

    mods.look()
    path = find_lesson(name, mods.assembly.app.scenes)
    return read_lesson(path, mods, window_names(installed(BUILT_IN)))


def install(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.add_typer(lesson_app, name="lesson")
