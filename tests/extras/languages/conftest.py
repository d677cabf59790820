"""The fixtures of windows, for languages."""

from tests.app.conftest import _windows_leave_frozen_what_was_imported, open_on

__all__ = ["_windows_leave_frozen_what_was_imported", "open_on"]
