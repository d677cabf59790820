"""The fixtures of windows, for the panel of studies."""

from tests.app.conftest import open_on

__all__ = ["open_on"]
