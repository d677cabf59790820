"""The commands of `boids`: each, or each group of them, has a file beside this one."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
import warnings
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, NoReturn

import typer
import typer.core

import sandbox
from components.store.words import nearest
from sandbox.cli import mods as mod_cli
from sandbox.cli.bench import bench
from sandbox.cli.explain import explain
from sandbox.cli.listing import check, measures, scenes, schema, systems
from sandbox.cli.mod_commands import commands_of_mods
from sandbox.cli.options import DEFAULT_SCENE
from sandbox.cli.past import diff, replay
from sandbox.cli.play import play
from sandbox.cli.run import run
from sandbox.cli.share import share
from sandbox.extras import modules
from sandbox.files import named, reason
from sandbox.mods.find.fault import ModInterrupt
from sandbox.scenes.bundled import bundled_scenes
from sandbox.terminal import say
from sandbox.warning import SandboxWarning


class _Commands(typer.core.TyperGroup):
    """The commands, and those of mods; if a mod was interrupted, prints which one."""

    @cached_property
    def _of_mods(self) -> tuple[Mapping[str, Any], list[str]]:
        return commands_of_mods()

    def list_commands(self, ctx: Any) -> list[str]:
        return [*self.commands, *(name for name in self._of_mods[0] if name not in self.commands)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return self.commands.get(cmd_name) or self._of_mods[0].get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            scene, scenes = named(args[0]), [path.stem for path in bundled_scenes()]
            if os.path.isfile(args[0]) or args[0] in scenes:
                raise ValueError(f"{scene}: is not a command: boids play {scene} opens it")
            for problem in self._of_mods[1]:
                say(f"boids: {problem}", stderr=True)
            near = nearest(args[0], [*self.list_commands(ctx), *scenes])
            other = f"did you mean boids {'play ' if near in scenes else ''}{near}?" if near else "see boids --help"
            say(f"boids: {scene}: is not a command: {other}", stderr=True)
            raise typer.Exit(2)
        return super().resolve_command(ctx, args)

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
        print(f"boids-sandbox {sandbox.__version__}")
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


for _command in (play, run, share, explain, replay, diff, check, bench, scenes, systems, measures, schema):
    app.command()(_command)
for _extra in modules("commands"):
    _extra.install(app)


def _tell(message: Warning | str, *_: object) -> None:
    """Print a warning as a sentence; replaces `warnings.showwarning`."""
    say(f"boids: {message}", stderr=True)


def run_command_line() -> NoReturn:
    """Run what was typed; every error that a person can cause ends in a sentence, not in a traceback."""
    atexit.register(gc.freeze)  # skips the last garbage collection, which takes 0.25 s if numba is loaded
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console that lacks a character must not end a run
    if not os.environ.get("COLUMNS", "").strip("0"):
        os.environ.pop("COLUMNS", None)  # 0 or empty means unknown
    try:
        try:
            with warnings.catch_warnings(action="always", category=SandboxWarning):
                warnings.showwarning = _tell  # type: ignore[assignment]
                app()
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except OSError as error:
        where = f"{named(error.filename)}: " if error.filename else ""
        if error.errno and not error.filename:  # from printing: Python must not flush stdout again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            where = "the output can't be written: "
        if not isinstance(error, BrokenPipeError):  # the reader has closed the pipe on purpose (`| head`)
            say(f"boids: {where}{reason(error)}", stderr=True)
        sys.exit(1)
    except ValueError as error:
        say(f"boids: {error}", stderr=True)
        sys.exit(1)
    sys.exit(0)
