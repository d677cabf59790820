"""The commands `boids check`, `scenes`, `measures` and `schema`: check scene files, and print lists."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Annotated

import typer

from sandbox.cli.options import DEFAULT_SCENE, ModOption, SceneArgument, library_with, opened, tell_problems
from sandbox.files import is_recording, named
from sandbox.terminal import say, show_table


def check(
    scenes: Annotated[list[Path], typer.Argument(metavar="SCENE...", readable=False, help="Scene files or names.")],
    mods: ModOption = None,
) -> None:
    """List all mistakes of scene files; exit 1 if there are any."""
    from sandbox.design.pictures import Pictures, wrong_pictures
    from sandbox.opening import other_than_a_world
    from sandbox.scenes.bundled import find_scene
    from sandbox.scenes.reader import SceneError, read_scene

    wrong, library = 0, library_with(mods)
    for path in scenes:
        is_recorded = os.path.isfile(path) and is_recording(path)
        if (
            what := f"{named(path)}: is not a scene file: boids play opens it"
            if is_recorded
            else other_than_a_world(path)
        ):
            wrong += 1
            say(what)
            continue
        library.look(path)
        try:
            scene = read_scene(find_scene(path, library.assembly.app.scenes), library)
        except (SceneError, OSError) as error:
            wrong += 1
            say(error)
        else:
            pictures = wrong_pictures(scene.tables[Pictures.table], scene.folder)
            wrong += bool(pictures)
            for file, why in pictures.items():
                say(f"{named(path)}: {why.format(name=file)}")
            if not pictures:
                say(f"{named(path)}: good")
        wrong += not tell_problems(library)
    raise typer.Exit(1 if wrong else 0)


def scenes(mods: ModOption = None) -> None:
    """List the scenes that come with the program, and with the mods that are on."""
    from sandbox.mods.find.trust import Trust
    from sandbox.scenes.bundled import bundled_scenes, scenes_in
    from sandbox.scenes.headline import headline

    trust = Trust()
    brought, are_all_on = [], True
    if mods or trust.enabled or trust.wrong:  # else no mod can have scenes, and nothing has to be loaded
        library = library_with(mods)
        library.look()
        brought, are_all_on = library.assembly.app.scenes, tell_problems(library)
    rows = []
    for path in (*bundled_scenes(), *scenes_in(brought)):
        scene = headline(path)
        rows.append((path.stem, f"{scene.population:,}", "yes" if scene.deep else "", scene.description))
    show_table(("scene", "entities", "depth", "what it shows"), rows)
    raise typer.Exit(not are_all_on)


def measures(scene: SceneArgument = DEFAULT_SCENE, mods: ModOption = None) -> None:
    """List what can be measured in a scene, also by the mods that are on, with its present value."""
    from sandbox.meanings import listed_measures
    from sandbox.record import of_somebody

    simulation, _ = opened(scene, None, None, mods)
    rows = [
        (name, "no number" if math.isnan(value) else f"{value:.6g}", unit, words)
        for name, value, (unit, words) in listed_measures(simulation)
        if of_somebody(name, [value])
    ]
    show_table(("measure", "now", "unit", "what it is"), rows)


def schema(mods: ModOption = None) -> None:
    """Print the JSON Schema of scene files, for editors that complete and check keys."""
    from sandbox.scenes.schema import schema as made

    library = library_with(mods)
    library.look()
    are_all_on = tell_problems(library)
    print(json.dumps(made(library.assembly.app), indent=2))
    raise typer.Exit(not are_all_on)
