"""What the command line shows on a terminal: tables, progress, and the wait for the first compilation."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any


def console(*, stderr: bool = False) -> Any:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def table(*titles: str) -> Any:
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in titles:
        made.add_column(title)
    return made


def progress(title: str, count: int) -> Iterator[int]:
    """Count behind a progress bar on a terminal; silently in a pipe."""
    if not _is_terminal():
        yield from range(count)
        return
    from rich.progress import track

    yield from track(range(count), title, console=console(stderr=True), transient=True)


def compile_if_cold() -> None:
    """Compile the kernels with a progress bar if that has still to be done, and say so."""
    from systems.core.kernel import cache_folder, is_cold

    if not is_cold():
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from sandbox.warm_up import steps

    screen = console(stderr=True)
    when = (
        "only at the first start"
        if cache_folder()
        else "at every start, as no cache can be written (see BOIDS_CACHE_DIR)"
    )
    screen.print(f"Compiling the kernels: {when}, about a minute.", soft_wrap=True)
    columns = (TextColumn("{task.description:<16}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True, disable=not _is_terminal()) as bar:
        task = bar.add_task("")
        for done, total, name in steps():
            bar.update(task, completed=done, total=total, description=name)


def _is_terminal() -> bool:
    """Whether somebody sees what is written beside the answer; who started this may have closed it."""
    return bool(sys.stderr and sys.stderr.isatty())


def has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
