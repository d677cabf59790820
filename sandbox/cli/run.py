"""The command `boids run`: runs a scene without a window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from sandbox.cli.options import (
    MOST_TICKS,
    DepthOption,
    GlowOption,
    JsonOption,
    ModOption,
    OverlayOption,
    SceneArgument,
    SeedOption,
    SetOption,
    check_target,
    opened,
)
from sandbox.cli.overlays import check_overlays, overlays_of, viewer_of
from sandbox.cli.running import NO_LAYERS, draw_end, run_ticks
from sandbox.files import named

WRITTEN = {"a snapshot": ".boids", "a table of measures": ".csv", "a recording": ".boids", "a picture": ".png"}


def run(
    scene: SceneArgument,
    ticks: Annotated[int, typer.Option(min=0, max=MOST_TICKS, help="How many ticks.")] = 600,
    seed: SeedOption = None,
    settings: SetOption = None,
    depth: DepthOption = None,
    mods: ModOption = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the final state as a snapshot (.boids).", show_default=False)
    ] = None,
    metrics: Annotated[
        Path | None, typer.Option(help="Write the measures of every tick (.csv).", show_default=False)
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write a recording of the run (.boids).", show_default=False)
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the final state (.png).", show_default=False)] = None,
    overlays: OverlayOption = None,
    glow: GlowOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a scene without a window; exit 1 if a mod failed, or an enabled mod can't be used."""
    from sandbox.report import print_report, report_of, write_measures

    if (overlays or glow is not None) and picture is None:
        raise ValueError(f"{'--overlay' if overlays else '--glow'} needs --picture: it is drawn there")
    for target, what in zip((save, metrics, record, picture), WRITTEN, strict=True):
        if target is None:
            continue
        check_target(target)
        if target.suffix.lower() != WRITTEN[what]:
            raise ValueError(f"{named(target)}: {what} is a {WRITTEN[what]}")
    check_overlays(overlays or ())
    simulation, problems = opened(scene, seed, settings, mods, depth)
    rows: list[dict[str, Any]] = []
    noting: list[Callable[[], object]] = []
    if metrics:
        noting.append(lambda: rows.append({"tick": simulation.tick, **simulation.measures()}))
    viewer = None
    if picture and (names := overlays_of(simulation, overlays)):
        viewer = viewer_of(simulation, names)
        noting.append(viewer.take)
    step: Callable[[], None] = simulation.step
    if record:
        from sandbox.past.timeline import Timeline

        timeline = Timeline(simulation)
        step = timeline.step
    seconds = run_ticks(simulation, ticks, noting, step)
    report = report_of(simulation, ticks, seconds, problems)
    if metrics:
        write_measures(metrics, rows)
    if save:
        simulation.save(save)
    if record:
        from sandbox.files.write_recording import write_recording

        write_recording(timeline, record)
    if picture:
        draw_end(simulation, picture, viewer.layers() if viewer else NO_LAYERS, glow)
        report["faults"] += [fault.sentence for fault in viewer.stop_failed()] if viewer else []
    print_report(report, as_json)
    raise typer.Exit(bool(report["faults"]))
