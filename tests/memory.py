"""How much memory this process holds."""

import ctypes
import gc
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def resident() -> int:
    """Bytes of the whole process, once all that can be is given back; what other threads do counts too."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


@contextmanager
def allocations_counted() -> Iterator[None]:
    """Within, `allocated` counts."""
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def allocated() -> int:
    """Bytes of objects and arrays that came within `allocations_counted` and are still there."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
