"""The window as a person has it: a display (Xvfb), a process of its own, a real mouse and keyboard (xdotool)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image

from sandbox.files.read_recording import open_recording
from sandbox.files.sessions import find_lost
from sandbox.mods.load.loaded_mods import NO_MODS

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # s
FOR_OTHER_TESTS = ("ARCADE_HEADLESS",)
PROGRAM = """
import sys
from sandbox.app import run_window, window
from sandbox.opening import load

class Told(window.FlockWindow):
    def on_update(self, delta_time):
        super().on_update(delta_time)
        table = self.simulation.world.table
        print(self.simulation.tick, table.size, self.width, self.height, self.session.clock.paused, flush=True)

run_window.FlockWindow = Told
run_window.open_window(load("ronan"))
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Xvfb is a display of Linux")


@pytest.mark.timeout(300)
def test_a_real_window_opens_moves_and_answers_key_mouse_and_system(display: str, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in FOR_OTHER_TESTS}
    environment |= {"DISPLAY": display, "XDG_PICTURES_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    environment |= {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    told = tmp_path / "told"
    errors = tmp_path / "errors"
    process: subprocess.Popen[bytes]

    def xdotool(*arguments: str) -> str:
        done = subprocess.run(["xdotool", *arguments], env=environment, capture_output=True, text=True, check=False)
        return done.stdout

    def now() -> tuple[int, int, int, int, bool]:
        """The last whole line the window told: tick, entities, width, height, paused."""
        lines = told.read_text().split("\n")
        if len(lines) < 2:
            return 0, 0, 0, 0, False
        tick, entities, width, height, paused = lines[-2].split()
        return int(tick), int(entities), int(width), int(height), paused == "True"

    def eventually(what: Callable[[], object]) -> object:
        """The first true answer, while the window lives."""
        end = time.monotonic() + PATIENCE
        while not (answer := what()):
            assert process.poll() is None, f"the window ended with {process.poll()}: {errors.read_text()}"
            assert time.monotonic() < end, f"it never happened: {now()} {errors.read_text()}"
            time.sleep(0.05)
        return answer

    @contextmanager
    def started() -> Iterator[str]:
        """The window's number, once it is there; in the end it is no more."""
        nonlocal process
        command = [sys.executable, "-c", PROGRAM]
        with (
            told.open("w") as out,
            errors.open("w") as err,
            subprocess.Popen(command, env=environment, stdout=out, stderr=err) as process,
        ):
            try:
                window = str(eventually(lambda: re.findall(r"\d+", xdotool("search", "--name", "boids")))[-1])  # type: ignore[index]
                xdotool("windowfocus", window)
                yield window
            finally:
                process.kill()
        assert errors.read_text() == ""

    with started() as window:
        eventually(lambda: now()[0] > 5)
        assert now()[1] == 100
        xdotool("mousemove", "--window", window, "640", "360", "click", "1")
        eventually(lambda: now()[1] == 112)
        xdotool("key", "space")
        eventually(lambda: now()[4])
        xdotool("key", "F2")
        eventually(lambda: list(tmp_path.rglob("*.png")))
        xdotool("windowsize", window, "640", "400")
        eventually(lambda: now()[2:4] == (640, 400))
        xdotool("windowsize", window, "320", "240")
        eventually(lambda: now()[2:4] == (320, 240))
        xdotool("key", "space")
        tick = now()[0]
        eventually(lambda: now()[0] > tick and not now()[4])
        xdotool("key", "F11")
        eventually(lambda: now()[2] > 320)
        process.terminate()
        assert process.wait(PATIENCE) == 0
    kept = find_lost(tmp_path / "state" / "boids-sandbox" / "autosave")
    assert kept is not None  # what was placed was not saved
    timeline = open_recording(kept.recordings[0], NO_MODS)
    timeline.seek(timeline.branch.last)
    assert timeline.simulation.world.table.size == 112
    timeline.close()
    ended = timeline.branch.last
    kept.leave()
    with started():
        eventually(lambda: len(told.read_text().split("\n")) > 10)
        assert now()[0] == 0  # while it asks whether to open that
        xdotool("key", "Return")
        eventually(lambda: now()[0] > ended)
        assert now()[1] == 112
        last = now()[0]
        process.kill()
        process.wait()
    kept = find_lost(tmp_path / "state" / "boids-sandbox" / "autosave")
    assert kept is not None
    timeline = open_recording(kept.recordings[0], NO_MODS)
    assert last - 5 * 60 <= timeline.branch.last <= last + 60  # ticks
    timeline.close()
    kept.leave()
    with started():
        eventually(lambda: len(told.read_text().split("\n")) > 10)
        xdotool("key", "ctrl+q")
        assert process.wait(PATIENCE) == 0
    with Image.open(next(tmp_path.rglob("*.png"))) as picture:
        width, height = picture.size  # what panels leave free of a window of 1170 x 680, most of a screen of 1300 x 800
        assert 585 < width < 1170
        assert 500 < height < 680


def test_without_a_display_a_sentence_says_so() -> None:
    program = "from sandbox.opening import load; from sandbox.app.run_window import open_window\n"
    program += "try: open_window(load('ronan'))\nexcept OSError as error: print(error)"
    environment = {name: value for name, value in os.environ.items() if name not in (*FOR_OTHER_TESTS, "DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "no window can be opened" in done.stdout
    assert done.stderr == ""
