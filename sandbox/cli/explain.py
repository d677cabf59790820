"""The command `boids explain`: prints why an entity turns."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from sandbox.cli.options import (
    MOST_TICKS,
    DepthOption,
    JsonOption,
    ModOption,
    SceneArgument,
    SeedOption,
    SetOption,
    opened,
)
from sandbox.cli.running import run_ticks
from sandbox.terminal import show_table

MOST_SERIAL = 2**63 - 1


def explain(
    scene: SceneArgument,
    entity: Annotated[int, typer.Option(min=1, max=MOST_SERIAL, metavar="SERIAL", help="The serial of the entity.")],
    ticks: Annotated[int, typer.Option(min=0, max=MOST_TICKS, help="Run this many ticks first.")] = 0,
    seed: SeedOption = None,
    settings: SetOption = None,
    depth: DepthOption = None,
    mods: ModOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print why an entity turns: its neighbours, each rule's vector, and their sum."""
    from sandbox.explain.explanation import explain as explained

    simulation, problems = opened(scene, seed, settings, mods, depth)
    run_ticks(simulation, ticks)
    why = explained(simulation, entity).as_json()
    failed = bool(problems or simulation.mods.faults)
    if as_json:
        print(json.dumps(why))
        raise typer.Exit(failed)
    seen = ", ".join(map(str, why["neighbours"])) or "nobody"
    place, flies = (", ".join(f"{part:.2f}" for part in why[key]) for key in ("position", "velocity"))
    print(f"Entity {entity} at ({place}) u flies ({flies}) u/s and attends to {seen}.")
    rules = {**why["rules"], "sum": why["acceleration"]}
    heads = [f"{axis} (u/s²)" for axis in simulation.world.table.axes]
    show_table(("rule", *heads), [(name, *(f"{part:.4g}" for part in rule)) for name, rule in rules.items()])
    raise typer.Exit(failed)
