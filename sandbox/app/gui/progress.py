"""Draws how far jobs are, with a button that cancels them."""

from __future__ import annotations

from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.files.folders import show_folder
from sandbox.app.gui.over_world import LISTS, over_world
from sandbox.app.gui.panel import Box
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.jobs.command_job import CommandJob
from sandbox.app.jobs.job import Job
from sandbox.app.session.making import Making
from sandbox.app.session.session import Session
from sandbox.language import capitalised, translate

READY = 1.0  # s without known steps, after which it is said how long it has gone on
WIDE, GAP = 300.0, 12.0  # pixels: width of the list, and its distance from the corner


def draw_progress(job: Job, ui: Ui, panel: str) -> bool:
    """Draw a progress bar and the button; return whether it was pressed. `panel`: the name of the panel around them."""
    draw_bar(job, ui)
    return ui.button(f"{icons.ICON_FA_XMARK}  Cancel##{panel}", size=(-1, 0))


def draw_bar(job: Job, ui: Ui) -> None:
    """Draw a progress bar with the steps that are done and the time left; before the first step it moves."""
    words, left = "", job.left
    if job.count:
        words = translate("{done:,} of {count:,}", done=job.done, count=job.count)
    elif job.seconds > READY:
        so_far = "getting ready, {time} so far" if isinstance(job, CommandJob) else "{time} so far"
        words = translate(so_far, time=_minutes(job.seconds))
    if left is not None:
        words += translate(", {time} left", time=_minutes(left))
    ui.progress(job.done / job.count if job.done else None, words)


def _minutes(seconds: float) -> str:
    return f"{round(seconds) // 60}:{round(seconds) % 60:02}"


def draw_making(making: Making, session: Session, ui: Ui, label: str, *, enabled: bool) -> bool:
    """Draw how far the file is that is being made, and a button that makes one; return whether it was pressed.

    While a file is being made, the button is pale, because another one would wait, and beside it is one that cancels.
    """
    if (job := making.job) is None:
        return ui.button(label, translate("Into {folder}", folder=making.folder), (-1, 0), enabled=enabled)
    draw_bar(job, ui)
    row = ui.buttons(2)
    if row.button(f"{icons.ICON_FA_XMARK}  Cancel##{making.name}"):
        making.cancel(session)
    with ui.coloured(text=ui.theme.faint):
        pressed = row.button(label, enabled=enabled)
    ui.tip("Into {folder}, after the one that is being made", folder=making.folder)
    return pressed


def draw_made(making: Making, session: Session, ui: Ui) -> None:
    """Draw where the last file was saved, with a button that opens its folder; scroll to it once."""
    if making.made:
        ui.verbatim(capitalised(making.made), wraps=0.0)
        if ui.button(f"{icons.ICON_FA_FOLDER_OPEN}  Show in folder##{making.name}"):
            session.services.jobs.begin("", partial(show_folder, making.folder), lane="folders")
        if making.is_new:
            making.is_new = False
            ui.to_here()


def draw_jobs(session: Session, ui: Ui, middle: Box) -> None:
    """Draw the jobs that go on, and that no panel shows, in the upper right corner of the area that panels leave."""
    jobs = [
        job
        for job in session.services.jobs.shown
        if job is not session.asking.work and job.panel not in session.view.panels
    ]
    if not jobs:
        return
    corner = middle.x + middle.width - GAP, middle.y + GAP
    with over_world("##jobs", LISTS, corner, (1, 0), (WIDE * ui.scale, 0)):
        for number, job in enumerate(jobs):
            with ui.named(number):
                ui.verbatim(as_label(capitalised(job.words)), wraps=0.0)
                draw_bar(job, ui)
                if not job.finishes and ui.button(f"{icons.ICON_FA_XMARK}  Cancel##cancel", size=(-1, 0)):
                    session.services.jobs.cancel(job)
