"""esper's state belongs to the whole process: every test starts and ends without worlds of others."""

import os

# Before anything loads numba's threads: those that wait for work sleep, for several processes test at once.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import esper
import pytest

from components.store.fields import tables


@pytest.fixture(autouse=True)
def _no_worlds_are_left():
    before = set(tables)
    yield
    esper.switch_world("default")
    for name in set(tables) - before:
        tables.pop(name)
        if name in esper.list_worlds():
            esper.delete_world(name)
