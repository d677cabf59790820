"""Small worlds gain nothing from a second thread, and on a busy machine wait for it."""

import pytest

from systems.engine.threads import exactly


@pytest.fixture(autouse=True)
def _one_thread():
    with exactly(1):
        yield
