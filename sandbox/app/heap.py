"""Gives freed memory back to the machine, which glibc, the C library of most Linux machines, would keep."""

import ctypes
import sys
from typing import Any

GIVEN_BACK_FROM = -3, 1 << 18  # M_MMAP_THRESHOLD, bytes
libc: Any = ctypes.CDLL(None) if sys.platform == "linux" else None


def give_back_arrays() -> None:
    """Give an array of 256 KB or more back as soon as it is freed, from now on.

    glibc takes this size from the largest array freed so far: after a crowd was shown, all smaller ones would leave
    gaps between others.
    """
    if hasattr(libc, "mallopt"):
        libc.mallopt(*GIVEN_BACK_FROM)


def give_back_gaps() -> None:
    """Give all free pages between what is in use back now: some milliseconds, after a crowd more."""
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)
