"""What is freed is given back to the machine."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import numpy as np
import pytest

from sandbox.app.heap import give_back_gaps

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc keeps gaps"
)


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_what_is_freed_between_things_in_use_is_given_back() -> None:
    blocks = [np.ones(1 << 13, np.uint8) for _ in range(10_000)]
    pinned, full = blocks[-1], resident()
    blocks.clear()
    give_back_gaps()
    assert resident() < full - 60e6
    assert pinned.all()
