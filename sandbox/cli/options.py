"""The arguments and options that most commands share (scene, settings, mods), and functions that open a scene."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.cli.times import SECONDS
from sandbox.files import named
from sandbox.terminal import compile_kernels, say

if TYPE_CHECKING:
    from sandbox.mods.load.library import Library
    from sandbox.mods.load.loaded_mods import LoadedMods
    from sandbox.simulation import Simulation

DEFAULT_SCENE = "murmuration"
MOST_SEED = 2**62  # the same as in `Simulation`, which is imported lazily
MOST_TICKS = 1_000_000_000

SceneArgument = Annotated[
    str,
    typer.Argument(help="A scene's name (see `boids scenes`), a scene file, or a recording, to go on from its end."),
]
FileArgument = Annotated[str, typer.Argument(help="A recording (.boids), a scene's name or a scene file.")]
FromOption = Annotated[
    str | None,
    typer.Option("--from", metavar="TIME", help="Where to begin: 12.5s, or tick 750.", show_default=False),
]
ToOption = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="TIME",
        help=f"Where to end; default: the end of the recording, or {SECONDS} s later.",
        show_default=False,
    ),
]
SeedOption = Annotated[
    int | None, typer.Option(min=0, max=MOST_SEED, help="Seed instead of the scene's.", show_default=False)
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Set a field of all prefabs that have it (Flocker.cohesion_strength=9) or of one (fish.Look.size=7), "
        "a system's parameter (commit.reorder_every=30) or a setting (world.edges=open), or disable a "
        "system (flocking=false). Repeat for more.",
        show_default=False,
    ),
]
DepthOption = Annotated[
    float | None,
    typer.Option(min=1, max=1e6, help="Depth of the world (u) instead of the scene's.", show_default=False),
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
        help="Draw this overlay (trails), also one of a mod (ink.ink); default: those that the scene shows; none: not "
        "these either. Repeat for more.",
        show_default=False,
    ),
]
GlowOption = Annotated[
    bool | None,
    typer.Option(
        "--glow/--no-glow",
        help="Let scenes of night and space glow; default: if there is a graphics card.",
        show_default=False,
    ),
]


JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def library_with(mods: list[Path] | None) -> Library:
    """Return the user's mods, with `mods` on; kernels are compiled at their first use, after files were checked."""
    from sandbox.mods.load.library import own_library
    from systems.engine import kernel

    kernel.before_compiling = compile_kernels
    return own_library(mods or ())


@contextmanager
def mods_on(mods: list[Path] | None) -> Iterator[Library]:
    """Provide the user's mods; at the end of the block, print which mods should be on and are not.

    Raises:
        Exit: one of these is a mod of `--mod`.
    """
    library = library_with(mods)
    are_on = True
    try:
        yield library
    finally:
        are_on = tell_problems(library)
    if not are_on:
        raise typer.Exit(1)


def opened(
    scene: str,
    seed: int | None,
    settings: list[str] | None,
    mods: list[Path] | None,
    depth: float | None = None,
) -> tuple[Simulation, list[str]]:
    """Open a scene with the user's mods; print and return why mods that should be on are not."""
    with mods_on(mods) as library:
        simulation = open_with(scene, seed, settings, library, depth)
    return simulation, library.problems


def check_target(target: Path) -> None:
    """Check before anything runs that a file can be written.

    Raises:
        OSError: the path is a folder, or its parent folder does not exist or can't be written.
    """
    if os.path.isdir(target):
        raise OSError(f"{named(target)}: can't be written: it is a folder")
    if not os.access(target.parent, os.W_OK):
        raise OSError(
            f"{named(target)}: can't be written: there is no folder {named(target.parent)} that may be written"
        )


def tell_problems(library: Library) -> bool:
    """Print why mods that should be on are not; return whether all of `--mod` are on."""
    for problem in library.problems:
        say(f"boids: {problem}", stderr=True)
    return library.named_are_on


def open_with(
    scene: str, seed: int | None, settings: list[str] | None, mods: LoadedMods, depth: float | None = None
) -> Simulation:
    """Open a scene or snapshot, and carry out the settings as commands.

    Args:
        settings: "KEY=VALUE", see `sandbox.edit.setting`.
    Raises:
        ValueError: the scene can't be opened, or a value can't be set; the message says what would be right.
    """
    from sandbox.edit.setting import commands_to_set
    from sandbox.opening import load
    from sandbox.toml.source import read_value
    from systems.engine import kernel

    if kernel.before_compiling is compile_kernels:
        kernel.before_compiling = partial(compile_kernels, scene)
    pairs = [setting.partition("=") for setting in settings or []]
    for key, equals, _ in pairs:
        if not equals:
            raise ValueError(f"--set {key}: must be KEY=VALUE, like Flocker.cohesion_strength=9")
    simulation = load(scene, seed, mods, depth)
    for key, _, text in pairs:
        for command in commands_to_set(key.strip(), read_value(text)):
            simulation.submit(command)
    simulation.settle_commands()
    return simulation


def refuse_for_past(file: str, seed: int | None, settings: list[str] | None, depth: float | None) -> None:
    """Refuse options that say how a world begins, where a recording is to be run from its own beginning.

    Raises:
        ValueError: one of them is given.
    """
    if seed is not None or settings or depth is not None:
        raise ValueError(
            f"{named(file)}: a recording has its own seed, settings and depth: leave out --seed, --set and --depth"
        )


def two_numbers(option: str, text: str, between: str, must: str) -> tuple[int, int]:
    """Parse two integers with the separator `between`: at least 1, the first not larger than the second.

    Raises:
        ValueError: the text is something else; the message names the option, and what it `must` be.
    """
    found = re.fullmatch(rf"(\d{{1,10}}){re.escape(between)}(\d{{1,10}})", text, re.ASCII)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(f"{option} {text}: must be {must}")
    return int(found[1]), int(found[2])
