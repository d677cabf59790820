"""Draws the progress of a command that runs in another process, and a button to cancel it."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.buttons import button
from sandbox.app.gui.theme import Theme
from sandbox.app.session.command_process import CommandProcess
from sandbox.language import translate


def draw_progress(process: CommandProcess, theme: Theme, panel: str) -> bool:
    """Draw a progress bar and the button; return whether it was pressed. `panel`: the name of the panel around them."""
    words, left = translate("Getting ready"), process.left
    if process.count:
        words = translate("{done:,} of {count:,}", done=process.done, count=process.count)
    if left is not None:
        words += translate(", {time} left", time=f"{round(left) // 60}:{round(left) % 60:02}")
    imgui.push_style_color(imgui.Col_.plot_histogram, theme.tinted(0.5))  # pale, because the words are drawn over it
    share = process.done / process.count if process.count else -imgui.get_time()  # negative: an indeterminate bar
    imgui.progress_bar(share, (-1, 0), words)
    imgui.pop_style_color()
    return button(f"{icons.ICON_FA_XMARK}  Cancel##{panel}", size=(-1, 0))
