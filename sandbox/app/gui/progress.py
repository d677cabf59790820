"""Draws how far jobs are, with a button that cancels them."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.buttons import button
from sandbox.app.gui.panel import Box
from sandbox.app.gui.small_widgets import as_label
from sandbox.app.gui.theme import Theme
from sandbox.app.jobs.job import Job
from sandbox.app.session.session import Session
from sandbox.language import capitalised, translate

FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.always_auto_resize
)
WIDE, GAP = 240.0, 12.0  # pixels: width of a bar, and their distance from the corner


def draw_progress(job: Job, theme: Theme, panel: str) -> bool:
    """Draw a progress bar and the button; return whether it was pressed. `panel`: the name of the panel around them."""
    draw_bar(job, theme)
    return button(f"{icons.ICON_FA_XMARK}  Cancel##{panel}", size=(-1, 0))


def draw_bar(job: Job, theme: Theme, width: float = -1.0) -> None:
    """Draw a progress bar with the steps that are done and the time left; `width`: pixels, -1: all there is."""
    words, left = "", job.left
    if job.count:
        words = translate("{done:,} of {count:,}", done=job.done, count=job.count)
    if left is not None:
        words += translate(", {time} left", time=f"{round(left) // 60}:{round(left) % 60:02}")
    imgui.push_style_color(imgui.Col_.plot_histogram, theme.tinted(0.5))  # pale, because the words are drawn over it
    share = job.done / job.count if job.count else -imgui.get_time()  # negative: an indeterminate bar
    imgui.progress_bar(share, (width, 0), words)
    imgui.pop_style_color()


def draw_jobs(session: Session, theme: Theme, middle: Box) -> None:
    """Draw the jobs that go on in the lower right corner of the area that panels leave free."""
    jobs = [job for job in session.services.jobs.shown if job is not session.asking.work]
    if not jobs:
        return
    corner = middle.x + middle.width - GAP, middle.y + middle.height - GAP
    imgui.set_next_window_pos(corner, imgui.Cond_.always, (1.0, 1.0))
    imgui.begin("##jobs", None, FLAGS)
    for number, job in enumerate(jobs):
        imgui.push_id(number)
        imgui.text_unformatted(as_label(capitalised(job.words)))
        draw_bar(job, theme, WIDE * imgui.get_style().font_scale_main)
        if not job.finishes:
            imgui.same_line()
            if button(f"{icons.ICON_FA_XMARK}##cancel", "Cancel"):
                session.services.jobs.cancel(job)
        imgui.pop_id()
    imgui.end()
