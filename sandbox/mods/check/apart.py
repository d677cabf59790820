"""Checks a mod in a process of its own, so that a loop that never ends and a crash are found, with their lines.

boids mod check ── pipe ── answer: check(...)
                    │ {"unpacked": ...}   from where the mod is imported
                    │ {"doing": ...}      a step begins
                    │ {"findings": ...}   the end
                    │ File "...", line 7  where Python stood, after some seconds in which nothing ended
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from types import FrameType
from typing import IO, Any

from sandbox.mods.check.checking import check
from sandbox.mods.find.content import read_content
from sandbox.mods.find.fault import ModInterrupt, inside
from sandbox.mods.find.manifest import ModError, shown
from sandbox.mods.find.trust import Trust
from systems.engine.interrupts import interrupts_blocked, unblock_interrupts

PATIENCE = 30  # s in which a tick of the small world must end
STDIN = 0  # it writes to this descriptor, because nothing else prints there
FRAME = re.compile(r'File "(.+)", line (\d+) in ')
COMPILERS = re.compile(r"[/\\](numba|llvmlite)[/\\]")
WORDS = "Fatal Python error: "


def check_apart(
    folder: Path, *, quick: bool = False, tell: Callable[[str], object] = lambda doing: None, patience: float = PATIENCE
) -> list[str]:
    """Check the mod in a folder as `check` does, by another process; what never ends, or ends Python, is a problem too.

    Raises:
        KeyboardInterrupt: a person interrupted it; a `ModInterrupt` names the line of the mod that ran.
    """
    program = f"from sandbox.mods.check.apart import answer; answer({str(folder)!r}, {quick}, {patience})"
    told, to_us = os.pipe()
    with os.fdopen(told, "rb") as pipe, ExitStack() as stack:
        with os.fdopen(to_us, "wb") as end, interrupts_blocked():  # an interrupted import would print a traceback
            process = subprocess.Popen([sys.executable, "-P", "-c", program], stdin=end, stdout=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
        return _heard(process, pipe, folder.absolute(), tell, patience)


def _heard(
    process: subprocess.Popen[bytes], pipe: IO[bytes], folder: Path, tell: Callable[[str], object], patience: float
) -> list[str]:
    doing, place, compiling, died, unpacked = "starting", "", False, "", folder
    for line in _lines(process, pipe):
        if line.startswith("{"):
            message: dict[str, Any] = json.loads(line)
            if "findings" in message:
                return list(message["findings"])
            if "interrupted" in message:
                raise ModInterrupt(message["interrupted"]) if message["interrupted"] else KeyboardInterrupt
            unpacked = Path(message.get("unpacked", unpacked))
            if "doing" in message:
                doing = message["doing"]
                tell(doing)
        elif line.startswith(("Timeout", WORDS)):
            died, place, compiling = line.removeprefix(WORDS) if line.startswith(WORDS) else "", "", False
        elif frame := FRAME.search(line):
            compiling = compiling or bool(COMPILERS.search(frame.group(1)))
            place = place or inside(frame.group(1), int(frame.group(2)), unpacked)
            if place and not (died or compiling):
                return [f"{shown(folder)}/{place}: still runs after {patience:g} s, {doing}: does this loop ever end?"]
    where = f"{shown(folder)}/{place}" if place else shown(folder)
    return [f"{where}: it ended the program, {doing}{f': {died}' if died else ''}"]


def _lines(process: subprocess.Popen[bytes], pipe: IO[bytes]) -> Iterator[str]:
    """Yield what the other process says. An interrupt is passed on to it, which can tell where it stands; once only."""
    passed_on = os.name == "nt"  # there it gets it from the terminal
    while True:
        try:
            line = pipe.readline()
        except KeyboardInterrupt:
            if passed_on:
                raise
            passed_on = True
            process.send_signal(2)
            continue
        if not line and passed_on and os.name != "nt":
            raise KeyboardInterrupt
        if not line:
            return
        yield line.decode(errors="replace").rstrip()


def answer(folder: str, quick: bool, patience: float) -> None:
    """Run in another process: check a mod, and say what is done, what was found, and where it stands."""
    faulthandler.enable(STDIN)
    interrupts = count()

    def once(number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt once: Ctrl+C comes from the terminal, and is passed on by the other process.

        `frame` is None where one that was lost is raised again.
        """
        if next(interrupts) == 0 or frame is None:
            raise KeyboardInterrupt

    def alive() -> None:
        faulthandler.dump_traceback_later(patience, repeat=True, file=STDIN)

    def tell(doing: str) -> None:
        _say(doing=doing)
        alive()

    signal.signal(signal.SIGINT, once)
    try:
        unblock_interrupts()
        with suppress(ModError):  # `check` says why
            _say(unpacked=str(read_content(Path(folder).absolute()).unpacked))
        _say(findings=check(Path(folder), Trust(), quick=quick, tell=tell, alive=alive))
    except KeyboardInterrupt as interrupt:
        _say(interrupted=str(interrupt))
    finally:
        faulthandler.cancel_dump_traceback_later()


def _say(**words: object) -> None:
    try:
        os.write(STDIN, f"{json.dumps(words)}\n".encode())
    except BrokenPipeError:  # an interrupt has ended the other process
        os._exit(1)
