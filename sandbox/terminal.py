"""Terminal output of the command line: tables, progress, and the wait for the first compilation."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from sandbox.files import as_text, is_recording

SECONDS_OF_LINE = 10.0
T = TypeVar("T")


def say(text: object = "", *, end: str = "\n", stderr: bool = False) -> None:
    """Print a text; control characters, as names of files may contain them, are escaped."""
    print(as_text(str(text)), end=end, file=sys.stderr if stderr else sys.stdout)


WIDEST = 10_000  # characters of a line that no terminal shows


def show_table(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Print a table; control characters in its texts are escaped."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in titles:
        made.add_column(title, overflow="fold")  # long texts wrap; none is cut off
    for row in rows:
        made.add_row(*map(as_text, row))
    _console().print(made)


def _console(*, stderr: bool = False) -> Any:
    from rich.console import Console

    is_file = not stderr and not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(stderr=stderr, highlight=False, markup=False, width=WIDEST if is_file else None)


def progress(title: str, steps: Iterable[T], count: int, *, told: bool = False) -> Iterator[T]:
    """Yield steps with a progress bar, silent without a terminal. `told`: see `steps_with_time_left`."""
    return steps_with_time_left(title, steps, count, told=told) if told or _is_terminal() else iter(steps)


def steps_with_time_left(title: str, steps: Iterable[T], count: int, *, told: bool = False) -> Iterator[T]:
    """Yield steps with a progress bar and the time left; without a terminal, print a line now and then.

    While a bar is shown, rich prints stdout on the terminal too: exhaust the steps before printing an answer.

    Args:
        told: print a line after each step instead, for another process to read: steps done and in total, "12 300",
            from "0 300" on.
    """
    if told:
        print(0, count, flush=True)
        for done, step in enumerate(steps, 1):
            yield step
            print(done, count, flush=True)
        return
    if _is_terminal():
        from rich.progress import track

        yield from track(steps, title, total=count, console=_console(stderr=True), transient=True)
        return
    begin = last = time.monotonic()
    for done, step in enumerate(steps, 1):
        yield step
        if time.monotonic() - last > SECONDS_OF_LINE:
            last = time.monotonic()
            left = (last - begin) / done * (count - done)
            say(f"{title}: {done:,} of {count:,}, {left:,.0f} s left", stderr=True)


def status() -> Any:
    """Return a status line on the terminal; its method `update` changes the text."""
    return _console(stderr=True).status("")


def compile_if_cold(scene: str = "") -> None:
    """Compile all kernels, or those that a scene needs, with a progress bar, if the cache lacks some.

    Args:
        scene: the name or file of a scene; for a recording all are compiled.
    """
    from systems.engine import kernel
    from systems.engine.kernel_cache import is_cold

    kernel.before_compiling = None
    if is_cold():
        compile_kernels("" if is_recording(scene) else scene)


def compile_kernels(scene: str = "") -> None:
    """Compile the kernels that a scene needs, or all, with a bar; without a terminal, print a line now and then.

    Args:
        scene: the name or file of a scene.
    """
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from sandbox.warm_up import steps
    from systems.engine.kernel_cache import cache_folder

    screen = _console(stderr=True)
    when = (
        "only at the first start"
        if cache_folder()
        else "at every start, as no cache can be written (see BOIDS_CACHE_DIR)"
    )
    screen.print(f"Compiling the kernels: {when}, up to a minute.", soft_wrap=True)
    columns = (TextColumn("{task.description:<16}"), BarColumn(), TimeElapsedColumn())
    last = time.monotonic()
    with Progress(*columns, console=screen, transient=True, disable=not _is_terminal()) as bar:
        task = bar.add_task("", total=1.0)
        for share, name in steps(scene):
            bar.update(task, completed=share, description=name)
            if bar.disable and time.monotonic() - last > SECONDS_OF_LINE:
                last = time.monotonic()
                say(f"Compiling the kernels: {share:.0%}", stderr=True)


def _is_terminal() -> bool:
    """Return whether stderr is a terminal; it is None if the parent process has closed it."""
    return bool(sys.stderr and sys.stderr.isatty())


def has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
