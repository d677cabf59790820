"""The fixtures of windows, for the panel Film."""

from tests.app.conftest import _commands_get_their_share, _windows_leave_frozen_what_was_imported, open_on

__all__ = ["_commands_get_their_share", "_windows_leave_frozen_what_was_imported", "open_on"]
