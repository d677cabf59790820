"""The command `boids explain`: prints why an entity turns."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from sandbox.cli.options import MOST_TICKS, JsonOption, ModOption, SceneArgument, SeedOption, SetOption, opened
from sandbox.cli.running import run_ticks
from sandbox.terminal import show_table

MOST_SERIAL = 2**63 - 1


def explain(
    scene: SceneArgument,
    entity: Annotated[int, typer.Option(min=1, max=MOST_SERIAL, metavar="SERIAL", help="The serial of the entity.")],
    ticks: Annotated[int, typer.Option(min=0, max=MOST_TICKS, help="Run this many ticks first.")] = 0,
    seed: SeedOption = None,
    settings: SetOption = None,
    mods: ModOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print why an entity turns: its neighbours, each rule's vector, and their sum."""
    from sandbox.explain.explanation import explain as explained

    simulation, problems = opened(scene, seed, settings, mods)
    run_ticks(simulation, ticks)
    why = explained(simulation, entity).as_json()
    failed = bool(problems or simulation.mods.faults)
    if as_json:
        print(json.dumps(why))
        raise typer.Exit(failed)
    seen = ", ".join(map(str, why["neighbours"])) or "nobody"
    print(f"Entity {entity} at ({why['position'][0]:.2f}, {why['position'][1]:.2f}) u", end=" ")
    print(f"flies ({why['velocity'][0]:.2f}, {why['velocity'][1]:.2f}) u/s and attends to {seen}.")
    rules = {**why["rules"], "sum": why["acceleration"]}
    show_table(("rule", "x (u/s²)", "y (u/s²)"), [(name, f"{x:.4g}", f"{y:.4g}") for name, (x, y) in rules.items()])
    raise typer.Exit(failed)
