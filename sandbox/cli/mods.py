"""The commands for mods: `boids mod new`, `check`, `list`, `enable` and `disable`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.files import named
from sandbox.terminal import compile_if_cold, say, show_table, status

if TYPE_CHECKING:
    from sandbox.mods.load.library import Library

app = typer.Typer(
    help="Write, check and enable mods: folders with Python that bring components, systems, tools and panels.",
    no_args_is_help=True,
)

ModArgument = Annotated[str, typer.Argument(metavar="ID|DIR", help="A mod's id, see `boids mod list`, or its folder.")]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="A mod's id, see `boids mod list`.")]


@app.command()
def new(name: Annotated[str, typer.Argument(metavar="NAME", help="Its id: letters, digits and _.")]) -> None:
    """Write a small working mod as mods/NAME in the working folder, as a starting point for your own."""
    from sandbox.mods.new_mod import write_new_mod

    folder = write_new_mod(name, Path("mods"))
    say(f"{named(folder)}: written. Change {named(folder / name)}.py, and then:")
    say(f"  boids mod check {named(folder)}    what is wrong with it")
    say(f"  boids mod enable {name}        let it run, as it is now")


@app.command()
def check(
    mod: ModArgument,
    quick: Annotated[bool, typer.Option("--quick", help="Run it once only, without comparing runs.")] = False,
) -> None:
    """List all problems of a mod, after running it in a small world; exit 1 if there are any."""
    from sandbox.mods.check.apart import check_apart
    from sandbox.mods.check.checking import wrong_as_written
    from sandbox.mods.check.determinism import TICKS
    from sandbox.mods.find.manifest import from_here

    folder = _folder_in(mod) or from_here(_library().folder_of(mod))
    if not (findings := wrong_as_written(folder)):
        compile_if_cold()
        with status() as line:
            findings = check_apart(folder, quick=quick, tell=lambda doing: line.update(f"{named(folder)}: {doing}"))
    again = "" if quick else ", and ran the same each time"
    say("\n".join(findings) or f"{named(folder)}: good: it ran {TICKS} ticks{again}")
    raise typer.Exit(1 if findings else 0)


@app.command("list")
def list_() -> None:
    """List all mods, where they are from, and which are on."""
    from sandbox.mods.find.manifest import shown

    library = _library()
    library.look()
    rows = []
    for one in library.listed():
        manifest = one.found.manifest
        version, about = (str(manifest.version), manifest.description) if manifest else ("", "")
        place = f"{one.found.origin.value}: {shown(one.found.folder)}"
        rows.append((one.id, version, place, one.state.value, one.reason or about))
    show_table(("mod", "version", "from", "is", ""), rows)


@app.command()
def enable(mod: ModArgument) -> None:
    """Enable a mod with its present files.

    Mods are programs that may do whatever you may: read them first, or know who wrote them.
    """
    from sandbox.mods.find.manifest import shown
    from sandbox.mods.find.states import ModState

    listed = _library().enable(_folder_in(mod) or mod)
    if listed.state is not ModState.ON:
        raise ValueError(f"{listed.id} is enabled, but not on: {listed.reason}")
    say(f"{listed.id} is on: {shown(listed.found.folder)}, until its files change")


@app.command()
def disable(id: IdArgument) -> None:
    """Disable a mod."""
    library = _library()
    if id not in library.trust.enabled:
        raise ValueError(f"{id} is not enabled")
    library.disable(id)
    say(f"{id} is off")


def _folder_in(mod: str) -> Path | None:
    """Return the folder that a person named; None if it is an id."""
    from sandbox.mods.find.manifest import MANIFEST

    return Path(mod) if (Path(mod) / MANIFEST).exists() or os.path.basename(mod) != mod else None


def _library() -> Library:
    """Return the user's library; if the file of enabled mods is wrong, print why."""
    from sandbox.mods.load.library import own_library

    library = own_library()
    if library.trust.wrong:
        say(f"boids: {library.trust.wrong}", stderr=True)
    return library
