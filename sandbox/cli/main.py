"""The command line: `boids`, and what each of its commands does."""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
import typer.core

from sandbox.cli import mods as mod_cli
from sandbox.cli.bench import JsonOption, bench
from sandbox.cli.film import film
from sandbox.cli.listing import check, scenes, schema, systems
from sandbox.cli.options import (
    DEFAULT_SCENE,
    MOST_TICKS,
    ModOption,
    SceneArgument,
    SeedOption,
    SetOption,
    check_target,
    library_with,
    open_with,
    opened,
)
from sandbox.cli.past import diff, replay
from sandbox.files import free_name, named, reason, write_atomically
from sandbox.mods.find.fault import ModInterrupt
from sandbox.terminal import compile_if_cold, has_display, progress, say, show_table
from sandbox.warning import SandboxWarning

if TYPE_CHECKING:
    from sandbox.app.drawing.painter import Layer
    from sandbox.app.viewer import Viewer
    from sandbox.mods.load.loaded_mods import LoadedMods
    from sandbox.past.timeline import Timeline
    from sandbox.simulation import Simulation

    Layers = tuple[Layer | None, Layer | None]

MOST_SERIAL = 2**63 - 1
NO_LAYERS = None, None
PICTURE_SECONDS = 10  # simulated, before a picture is drawn where there is no display


class _Commands(typer.core.TyperGroup):
    """The commands; who interrupts a mod is told which one it was."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except ModInterrupt as interrupt:
            say(f"\nboids: {interrupt}", stderr=True)
            raise


app = typer.Typer(
    name="boids",
    cls=_Commands,
    help="A sandbox where flocks live. Without a command: the window on the default scene.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(mod_cli.app, name="mod")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"boids-sandbox {version('boids-sandbox')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _default(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        play(DEFAULT_SCENE)


@app.command()
def play(
    scene: SceneArgument = DEFAULT_SCENE,
    seed: SeedOption = None,
    settings: SetOption = None,
    mods: ModOption = None,
) -> None:
    """Open the window on a scene or a recording. Where there is no display, draw a picture of it instead."""
    from sandbox.opening import is_recording

    compile_if_cold()
    if has_display():
        from sandbox.app.start import start
        from sandbox.mods.find.trust import read_trust
        from sandbox.mods.load.library import Library

        trust, wrong = read_trust()
        library = Library(trust, [folder.absolute() for folder in mods or ()])
        start(scene, lambda: _shown(scene, seed, settings, library), library, wrong)
        return
    path = free_name(Path(f"{Path(scene).stem}.png"))
    if is_recording(scene):
        say(f"There is no display: drawing how {named(scene)} ends.")
        library = library_with(mods)
        timeline, problems = _recorded(scene, seed, settings, library), library.problems
        timeline.seek(timeline.branch.last)
        simulation = timeline.simulation
    else:
        say(f"There is no display: running {named(scene)} for {PICTURE_SECONDS} simulated seconds without a window.")
        simulation, problems = opened(scene, seed, settings, mods)
        _run(simulation, PICTURE_SECONDS * _tick_rate(simulation))
    _draw(simulation, path)
    say(f"Picture: {named(path.resolve())}")
    raise typer.Exit(bool(problems or simulation.mods.faults))


def _shown(scene: str, seed: int | None, settings: list[str] | None, library: LoadedMods) -> Simulation | Timeline:
    """What the window begins with."""
    from sandbox.opening import is_recording

    if not is_recording(scene):
        return open_with(scene, seed, settings, library)
    return _recorded(scene, seed, settings, library)


def _recorded(scene: str, seed: int | None, settings: list[str] | None, library: LoadedMods) -> Timeline:
    from sandbox.past.read_recording import open_recording

    if seed is not None or settings:
        raise ValueError(f"{named(scene)}: a recording has its own seed and settings: leave out --seed and --set")
    return open_recording(scene, library)


@app.command()
def run(
    scene: SceneArgument,
    ticks: Annotated[int, typer.Option(min=0, max=MOST_TICKS, help="How many ticks.")] = 600,
    seed: SeedOption = None,
    settings: SetOption = None,
    mods: ModOption = None,
    save: Annotated[Path | None, typer.Option(help="Write the end as a snapshot (.npz).", show_default=False)] = None,
    metrics: Annotated[
        Path | None, typer.Option(help="Write the measures of every tick (.csv).", show_default=False)
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write a recording of the run (.boids).", show_default=False)
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the end (.png).", show_default=False)] = None,
    overlays: Annotated[
        list[str] | None,
        typer.Option(
            "--overlay",
            metavar="NAME",
            help="Draw this overlay into the picture (heat), also one of a mod (ink.ink). Repeat for more.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run a scene without a window; exit 1 if a mod was stopped, or is enabled and not on."""
    from sandbox.report import print_report, report_of, write_measures

    targets = [target for target in (save, metrics, record, picture) if target is not None]
    if len({target.resolve() for target in targets}) < len(targets):
        raise ValueError("--save, --metrics, --record and --picture must name different files")
    if overlays and picture is None:
        raise ValueError("--overlay needs --picture: it is drawn there")
    if picture is not None and picture.suffix.lower() != ".png":
        raise ValueError(f"{named(picture)}: a picture is a .png")
    if record is not None and record.suffix.lower() != ".boids":
        raise ValueError(f"{named(record)}: a recording is a .boids")
    for target in targets:
        check_target(target)
    compile_if_cold()
    simulation, problems = opened(scene, seed, settings, mods)
    rows: list[dict[str, Any]] = []
    noting: list[Callable[[], object]] = []
    if metrics:
        noting.append(lambda: rows.append({"tick": simulation.tick, **simulation.measures()}))
    if overlays:
        viewer = _viewer(simulation, overlays)
        noting.append(viewer.take)
    timeline = _timeline(simulation) if record else None
    seconds = _run(simulation, ticks, noting, timeline.step if timeline else None)
    report = report_of(simulation, ticks, seconds, problems)
    if metrics:
        write_measures(metrics, rows)
    if save:
        simulation.save(save)
    if record and timeline:
        from sandbox.past.recording_file import write_recording

        write_recording(timeline, record)
    if picture:
        _draw(simulation, picture, viewer.layers() if overlays else NO_LAYERS)
    print_report(report, as_json)
    raise typer.Exit(bool(report["faults"]))


@app.command()
def explain(
    scene: SceneArgument,
    entity: Annotated[int, typer.Option(min=1, max=MOST_SERIAL, metavar="SERIAL", help="Whom to explain.")],
    ticks: Annotated[int, typer.Option(min=0, max=MOST_TICKS, help="Run so many ticks first.")] = 0,
    seed: SeedOption = None,
    settings: SetOption = None,
    mods: ModOption = None,
    as_json: JsonOption = False,
) -> None:
    """Why does this one turn: its neighbours, each rule's vector, and their sum."""
    from sandbox.explain.explanation import explain as explained

    compile_if_cold()
    simulation, problems = opened(scene, seed, settings, mods)
    _run(simulation, ticks)
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


for _command in (film, replay, diff, check, bench, scenes, systems, schema):
    app.command()(_command)


def _timeline(simulation: Simulation) -> Timeline:
    from sandbox.past.timeline import Timeline

    return Timeline(simulation)


def _run(
    simulation: Simulation,
    ticks: int,
    noting: Sequence[Callable[[], object]] = (),
    step: Callable[[], None] | None = None,
) -> float:
    """Run ticks behind a progress bar; `step` runs one, and `noting` is called after each.

    Returns:
        The seconds that all of them took but the first, in which kernels are loaded; systems count from there too.
    """
    begin = time.perf_counter()
    for done in progress("Running", ticks):
        (step or simulation.step)()
        for note in noting:
            note()
        if done == 0:
            begin = time.perf_counter()
            for system in simulation.pipeline.systems:
                system.nanoseconds = 0
    return time.perf_counter() - begin


def _draw(simulation: Simulation, path: Path, layers: Layers = NO_LAYERS) -> None:
    from sandbox.app.drawing.picture import picture_of

    write_atomically(path, picture_of(simulation, under=layers[0], over=layers[1]))


def _viewer(simulation: Simulation, overlays: list[str]) -> Viewer:
    from sandbox.app.drawing.picture import graphics

    graphics()  # before a graphics library is imported: only then can it do without a display
    from sandbox.app.viewer import Viewer

    return Viewer(simulation, overlays)


def _tick_rate(simulation: Simulation) -> int:
    from systems.engine.settings import Settings

    return simulation.world.resource(Settings).tick_rate


def _tell(message: Warning | str, *_: object) -> None:
    """What `warnings` calls with a warning: print it as a sentence."""
    say(f"boids: {message}", stderr=True)


def main() -> NoReturn:
    """Run the command line; every error a person can cause ends in a sentence, not in a traceback."""
    atexit.register(gc.freeze)  # a process that ends need not look for garbage: 0.25 s where numba is loaded
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console that lacks a character must not end a run
    if not os.environ.get("COLUMNS", "").strip("0"):
        os.environ.pop("COLUMNS", None)  # no terminal is 0 columns wide
    try:
        try:
            with warnings.catch_warnings(action="always", category=SandboxWarning):
                warnings.showwarning = _tell  # type: ignore[assignment]
                app()
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        where = f"{named(error.filename)}: " if error.filename else ""
        if error.errno and not error.filename:  # of what is printed: Python must not try again at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            where = "the output can't be written: "
        if not isinstance(error, BrokenPipeError):  # who read has seen enough
            say(f"boids: {where}{reason(error)}", stderr=True)
        sys.exit(1)
    except ValueError as error:
        say(f"boids: {error}", stderr=True)
        sys.exit(1)
    sys.exit(0)


if __name__ == "__main__":
    main()
