"""What most commands take: which scene, with which settings and mods; and how it is opened."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandbox.files import named
from sandbox.terminal import compile_if_cold, say

if TYPE_CHECKING:
    from sandbox.mods.load.library import Library
    from sandbox.mods.load.loaded_mods import LoadedMods
    from sandbox.simulation import Simulation

DEFAULT_SCENE = "murmuration"
MOST_SEED = 2**62  # that of `Simulation`, which is imported late
MOST_TICKS = 1_000_000_000

SceneArgument = Annotated[str, typer.Argument(help="A scene's name (see `boids scenes`), a scene file or a snapshot.")]
SeedOption = Annotated[
    int | None, typer.Option(min=0, max=MOST_SEED, help="Seed instead of the scene's.", show_default=False)
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Set a field of all prefabs that have it (Flocker.cohesion_strength=9) or of one (fish.Look.size=7), "
        "a system's parameter (commit.reorder_every=30) or a setting (world.edges=open), or switch a system "
        "(flocking=false). Repeat for more.",
        show_default=False,
    ),
]
ModOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--mod",
        metavar="DIR",
        readable=False,
        help="The folder of a mod to use this time. Repeat for more.",
        show_default=False,
    ),
]
OverlayOption = Annotated[
    list[str] | None,
    typer.Option(
        "--overlay",
        metavar="NAME",
        help="Draw this overlay too (trails), also one of a mod (ink.ink). Repeat for more.",
        show_default=False,
    ),
]


JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def library_with(mods: list[Path] | None) -> Library:
    """The mods of the person, to open something with: what can't be opened is refused before kernels are compiled."""
    from sandbox.mods.load.library import own_library
    from systems.engine import kernel

    kernel.before_compiling = compile_if_cold
    return own_library(mods or ())


@contextmanager
def mods_on(mods: list[Path] | None) -> Iterator[Library]:
    """The mods that are on; those that should be and are not are named at the end."""
    library = library_with(mods)
    try:
        yield library
    finally:
        tell_problems(library)


def opened(
    scene: str, seed: int | None, settings: list[str] | None, mods: list[Path] | None
) -> tuple[Simulation, list[str]]:
    """A simulation of a scene with the mods that are on, and why others that should be are not: that is printed too."""
    with mods_on(mods) as library:
        simulation = open_with(scene, seed, settings, library)
    if not library.named_are_on:
        raise typer.Exit(1)
    return simulation, library.problems


def check_target(target: Path) -> None:
    """Refuse what can't be written before anything is run.

    Raises:
        OSError: a folder stands there, or none is there to write into.
    """
    if os.path.isdir(target):
        raise OSError(f"{named(target)}: can't be written: it is a folder")
    if not os.access(target.parent, os.W_OK):
        raise OSError(
            f"{named(target)}: can't be written: there is no folder {named(target.parent)} that may be written"
        )


def tell_problems(library: Library) -> bool:
    """Name the mods that should be on and are not; whether all of `--mod` are."""
    for problem in library.problems:
        say(f"boids: {problem}", stderr=True)
    return library.named_are_on


def open_with(scene: str, seed: int | None, settings: list[str] | None, mods: LoadedMods) -> Simulation:
    """A simulation of a scene or snapshot, with these settings carried out as commands.

    Args:
        settings: "KEY=VALUE", see `sandbox.edit.setting`.
    Raises:
        ValueError: what can't be opened or set, and what would be right.
    """
    from sandbox.edit.setting import commands_to_set
    from sandbox.opening import load

    pairs = [setting.partition("=") for setting in settings or []]
    for key, equals, _ in pairs:
        if not equals:
            raise ValueError(f"--set {key}: must be KEY=VALUE, like Flocker.cohesion_strength=9")
    simulation = load(scene, seed, mods)
    for key, _, text in pairs:
        for command in commands_to_set(key.strip(), _value(text)):
            simulation.submit(command)
    simulation.settle_commands()
    return simulation


def two_numbers(option: str, text: str, between: str, must: str) -> tuple[int, int]:
    """Two whole numbers with something between them, from 1 on, the first no larger than the other.

    Raises:
        ValueError: it is something else: naming the option, and what it `must` be.
    """
    found = re.fullmatch(rf"(\d{{1,10}}){re.escape(between)}(\d{{1,10}})", text, re.ASCII)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(f"{option} {text}: must be {must}")
    return int(found[1]), int(found[2])


def _value(text: str) -> Any:
    """A value as TOML writes it; a bare word is text."""
    import tomli

    try:
        return tomli.loads(f"value = {text}")["value"]
    except (tomli.TOMLDecodeError, ValueError, RecursionError):
        return text
