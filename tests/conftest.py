"""esper's state belongs to the whole process: every test starts and ends without worlds of others."""

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
