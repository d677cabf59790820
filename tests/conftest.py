"""esper's state belongs to the whole process: every test starts and ends without worlds of others.

Nor may tests touch what a person keeps, or find it: settings, autosaves, mods.
"""

import os
import tempfile

# Before anything loads numba's threads: those that wait for work sleep, for several processes test at once.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
_KEPT = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_DOCUMENTS_DIR")
os.environ |= dict.fromkeys(_KEPT, tempfile.mkdtemp(prefix="boids-tests-"))

import esper  # noqa: E402
import pytest  # noqa: E402

from components.store.fields import tables  # noqa: E402


@pytest.fixture(autouse=True)
def _no_worlds_are_left():
    before = set(tables)
    yield
    esper.switch_world("default")
    for name in set(tables) - before:
        tables.pop(name)
        if name in esper.list_worlds():
            esper.delete_world(name)
