"""Another process that works for this one, and never outlives that."""

import os
import signal
import sys
import threading
from subprocess import DEVNULL

import psutil
import pytest

from sandbox.extras.film.other_process import other_process

WAITS = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("milliseconds", range(10))
def test_it_ends_whenever_ctrl_c_comes_also_while_it_begins(milliseconds: int) -> None:
    before = set(psutil.Process().children())
    press = threading.Timer(milliseconds / 1000, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        _wait_for_another(press)
    assert set(psutil.Process().children()) <= before


def _wait_for_another(press: threading.Timer) -> None:
    press.start()
    with other_process(WAITS, DEVNULL) as (process, _):
        press.join()
        process.wait()
