"""Draws the progress of a command that runs in another process, and a button to cancel it."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.gui.ui import Ui
from sandbox.app.session.command_process import CommandProcess
from sandbox.language import translate


def draw_progress(process: CommandProcess, ui: Ui, panel: str) -> bool:
    """Draw a progress bar and the button; return whether it was pressed. `panel`: the name of the panel around them."""
    words, left = translate("Getting ready"), process.left
    if process.count:
        words = translate("{done:,} of {count:,}", done=process.done, count=process.count)
    if left is not None:
        words += translate(", {time} left", time=f"{round(left) // 60}:{round(left) % 60:02}")
    ui.progress(process.done / process.count if process.count else None, words)
    return ui.button(f"{icons.ICON_FA_XMARK}  Cancel##{panel}", size=(-1, 0))
