"""Compiles kernels before they are needed, and reports the progress, because the first start takes a while.

Several processes compile at once. Each does the whole workload, but starts at a different stage, and loads from the
cache what the others have compiled meanwhile. When the first of them has done all stages, everything is compiled.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from typing import IO, Any
from zlib import crc32

from sandbox.files.atomic import write_atomically
from sandbox.long_work import tell_how_far
from sandbox.scenes.bundled import bundled_scenes
from sandbox.workload import Workload
from systems.engine import kernel_cache

STDIN = 0
MOST_PROCESSES = 4  # each takes half a gigabyte
ALL_FUNCTIONS, OF_A_SCENE = 520, 220  # that are compiled, about: for the estimate of what is done
MOST_KNOWN = 0.98  # of the estimate, until everything is compiled
DEPTH = 200.0  # u, of worlds with depth; what they need is compiled after all else
DONE = "."
LISTED = "scenes-"  # begins the name of a list of scenes


def steps(scene: str = "") -> Iterator[tuple[float, str]]:
    """Compile what a scene needs, or everything; yield the share that is done, an estimate, and what is compiled.

    Other processes do it, as far as they can. At the end this one does the rest of everything; what they leave of a
    scene is compiled when it is needed.

    Args:
        scene: the name or file of a scene.
    """
    if kernel_cache.cache_folder() is not None and (scene or kernel_cache.is_cold()):
        expected, seen = OF_A_SCENE if scene else ALL_FUNCTIONS, set[str]()
        for function in _compiled_by_others(min(os.cpu_count() or 1, MOST_PROCESSES), scene):
            seen.add(function)
            yield min(len(seen) / expected, MOST_KNOWN), function.partition(":")[0].rpartition(".")[2].replace("_", " ")
    if not scene or kernel_cache.cache_folder() is None:
        for workload in _workloads(scene):
            for index, stage in enumerate(workload.stages):
                yield max(index / len(workload.stages), MOST_KNOWN * bool(kernel_cache.used)), stage.replace("_", " ")
                workload.run(stage)
            workload.close()
        if not scene:
            kernel_cache.mark_warm()
            _forget_ready_lists()
    yield 1.0, ""


def warm_up() -> None:
    """Compile or load every kernel, silently."""
    for _ in steps():
        pass


def prepare(scene: Path) -> None:
    """Compile what a bundled scene needs, if the rest is not compiled yet, nor this scene; say how far it is.

    Raises:
        GivenUpError: nobody wants it.
    """
    if not kernel_cache.is_cold() or scene.stem in ready_scenes() or scene not in bundled_scenes():
        return
    for share, _ in steps(str(scene)):
        tell_how_far(round(100 * share), 100)
    note_ready(scene.stem)


def ready_scenes() -> set[str]:
    """Return the names of the bundled scenes whose kernels were compiled by this version of the program."""
    with suppress(OSError, UnicodeDecodeError):
        return {*_ready_list().read_text().split()}
    return set()


def note_ready(scene: str) -> None:
    """Note that the kernels of a scene are compiled; `scene`: its name or file."""
    with suppress(OSError):
        write_atomically(_ready_list(), " ".join(sorted({*ready_scenes(), Path(scene).stem})).encode())


def _ready_list() -> Path:
    """Return the path of the list.

    Raises:
        OSError: nothing can be cached.
    """
    folder = kernel_cache.cache_folder()
    if folder is None:
        raise OSError
    return folder / f"{LISTED}{kernel_cache.warm_mark(folder).name}"


def _forget_ready_lists() -> None:
    """Remove the lists of this version and of older ones: everything is compiled."""
    if (folder := kernel_cache.cache_folder()) is not None:
        for old in folder.glob(f"{LISTED}*"):
            old.unlink(missing_ok=True)


def begin_rest() -> subprocess.Popen[bytes]:
    """Begin to compile everything in other processes, with low priority; to end them, end the one that is returned."""
    program = "import os; hasattr(os, 'nice') and os.nice(10); from sandbox.warm_up import warm_up; warm_up()"
    low: int = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)  # Windows
    quiet: dict[str, Any] = {"stdin": DEVNULL, "stdout": DEVNULL, "stderr": DEVNULL, "creationflags": low}
    return subprocess.Popen([sys.executable, "-P", "-c", program], **quiet)


def _compiled_by_others(processes: int, scene: str) -> Iterator[str]:
    """Yield each function that a process has compiled, by module, name and arguments.

    It ends when a process has done all stages, or none is left. If there is no room for so many, there are fewer.
    """
    told, tell = os.pipe()
    others: list[subprocess.Popen[bytes]] = []
    try:
        with os.fdopen(told) as lines:
            with suppress(OSError), os.fdopen(tell, "wb") as to_us:
                for index in range(processes):
                    others.append(_begin(index, processes, scene, to_us))
            for line in lines:
                if line == f"{DONE}\n":
                    return
                yield line.rstrip("\n")
    finally:
        for other in others:
            other.terminate()
            other.wait()


def _begin(index: int, processes: int, scene: str, to_us: IO[bytes]) -> subprocess.Popen[bytes]:
    program = f"from sandbox.warm_up import compile_from; compile_from({index}, {processes}, {scene!r})"
    # They write to the descriptor of stdin, because nothing else prints there: a `sitecustomize` may print to stdout.
    return subprocess.Popen([sys.executable, "-P", "-c", program], stdin=to_us, stdout=DEVNULL, stderr=DEVNULL)


def compile_from(index: int, processes: int, scene: str) -> None:
    """Do all stages, as one of several processes; report each function that is compiled, and the end."""
    from numba.core import event

    event.register("numba:compile", _teller())  # type: ignore[no-untyped-call]
    for workload in _workloads(scene):
        for stage in workload.order(index, processes):
            workload.run(stage)
        workload.close()
    _tell(DONE)


def _workloads(scene: str) -> Iterator[Workload]:
    """Yield what a scene needs; everything if it can't be opened, because it needs mods, or is not a scene."""
    with suppress(OSError, ValueError):
        if scene:
            yield Workload.of_scene(scene)
            return
    for depth in (0.0, DEPTH):
        yield Workload.everything(depth)


def _teller() -> Any:
    from numba.core import event

    class Teller(event.Listener):
        def on_start(self, happened: Any) -> None: ...

        def on_end(self, happened: Any) -> None:
            function = happened.data["dispatcher"].py_func
            _tell(f"{function.__module__}:{function.__qualname__} {crc32(str(happened.data['args']).encode())}")

    return Teller()


def _tell(line: str) -> None:
    """Write a line in one piece, as `print` may not: other processes write to the same pipe."""
    os.write(STDIN, f"{line}\n".encode())
