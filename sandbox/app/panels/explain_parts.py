"""Parts of the Explain panel: the text while nothing is explained, the list of steps, and one step in words."""

from __future__ import annotations

import math
from itertools import zip_longest

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons

from components.flock import Flocker
from components.motion import Motion, Position, Velocity
from components.store.fields import DEEP
from sandbox.app.drawing.camera import CLOSEST
from sandbox.app.drawing.places import lengths
from sandbox.app.gui.chart_lines import legible
from sandbox.app.gui.theme import Rgba
from sandbox.app.gui.ui import Ui
from sandbox.app.overlays.rule_colours import rule_colour
from sandbox.app.session.session import Session
from sandbox.app.walking import Walking
from sandbox.explain.steps import REST, SUM, Number, Walk, WalkStep
from sandbox.language import translate, translate_label

NEAR = 0.45  # the radius shown around the entity after zooming in, as a share of the area that panels leave free
LIST_WIDTH, LIST_SHARE = 148.0, 0.46  # width of the list of steps: pixels, and at most this share of the panel's
BAR_HEIGHT = 3.0  # pixels, of the bars below the names of rules
TITLE_SIZE = 1.22  # of a step's title, relative to the text size


def invite(session: Session, ui: Ui, walking: Walking) -> None:
    """Draw what to do instead while no entity is explained."""
    one = session.selection.one
    if one is not None and walking.is_dear(session):
        ui.wrapped("Explaining one takes a while in this world. Pause to see why it turns.")
        if ui.button(f"{icons.ICON_FA_PAUSE} Pause and explain"):
            session.act("pause")
            walking.begin()
        return
    if one is not None and session.simulation.world.table.rows_of(session.selection.array)[0] >= 0:
        return  # it will be explained when the tick that runs has ended
    if one is not None:
        ui.wrapped("Entity {one} no longer exists. Select another.", one=one)
    elif session.selection.serials:
        count = len(session.selection.serials)
        ui.wrapped("{count:,} entities are selected. Select a single one to see why it turns.", count=count)
    else:
        ui.wrapped(
            "Why does it turn? Select one, and walk through its next tick: whom it sees, what each rule asks of "
            "it, the sum, and the move."
        )
    if ui.button(f"{icons.ICON_FA_CROSSHAIRS} Pick any"):
        pick_any(session)
        walking.begin()


def pick_any(session: Session) -> None:
    """Select the moving entity nearest to the middle of the view; prefer entities that flock."""
    table, camera = session.simulation.world.table, session.camera
    rows = table.rows(Position, Velocity, Motion, Flocker)
    if not len(rows):
        rows = table.rows(Position, Velocity, Motion)
    if not len(rows):
        session.messages.warn("Nothing moves in this world: place some boids first.")
        return
    away = lengths(table.stacked("Position", rows) - camera.looks_at)
    session.selection.choose([table.serial[rows[np.lexsort((table.serial[rows], away))[0]]]])


def come_closer(session: Session, found: Walk) -> None:
    """Move the camera so that the entity and all it sees fill the area that panels leave free."""
    camera = session.camera
    if found.why is not None and found.around is not None:
        session.glide()
        camera.zoom = min(NEAR * min(camera.free) / found.around.shown, CLOSEST)
        camera.look_at(*found.why.position)


def draw_step_list(walking: Walking, found: Walk, height: float, ui: Ui) -> None:
    """Draw the list of steps, `height` pixels high; a bar below each rule shows the size of its acceleration."""
    scale = ui.scale
    magnitudes = {step.name: math.hypot(*step.vector) for step in found.steps if step.vector is not None}
    largest = max(magnitudes.values(), default=0.0) or 1.0
    width = min(LIST_WIDTH * scale, LIST_SHARE * ui.room[0])
    with ui.child("steps", (width, height)):
        for k, step in enumerate(found.steps):
            if ui.entry(translate_label(f"{step.title}##step"), k == walking.at):
                walking.go(k)
            (left, _), (right, low) = ui.edges
            if k == walking.at and ui.appears:
                ui.to_here(0.5)
            if step.name in magnitudes:
                length = (right - left) * magnitudes[step.name] / largest
                colour = ui.theme.ink if step.name == SUM else legible(rule_colour(step.name), ui.theme.well)
                begin = left, low - BAR_HEIGHT * scale
                ui.pen.box(begin, (right, low), ui.theme.well)
                ui.pen.box(begin, (left + length, low), colour, 1.5 * scale)


def draw_step(step: WalkStep, ui: Ui) -> None:
    """Draw a step's title, its sentences and its table of numbers."""
    with ui.larger(TITLE_SIZE):
        ui.text(step.title)
    for k, sentence in enumerate(step.sentences):
        if step.name == REST and k:
            name, _, words = sentence.partition(": ")
            ui.text(name)
            ui.wrapped(words, ui.theme.faint)
        else:
            ui.wrapped(sentence)
    if step.numbers:
        _draw_numbers(ui, step)


def _draw_numbers(ui: Ui, step: WalkStep) -> None:
    """Draw the table of numbers; labels that find no room beside their numbers stand on lines of their own above."""
    units = list(dict.fromkeys(number.unit for number in step.numbers))
    heads = *DEEP[: len(step.numbers[0].vector)], translate("speed" if step.vector is None else "size")
    labels = [translate(number.label) for number in step.numbers]
    rows = [_values(number) for number in step.numbers]
    if len(units) > 1:
        told = [[f"{text} {number.unit}" for text in row] for number, row in zip(step.numbers, rows, strict=True)]
    else:
        told = rows
    columns = labels, *zip_longest(heads, *told, fillvalue="")
    widths = [max(ui.size(text)[0] for text in column) for column in columns]
    if sum(widths) + 1.5 * len(widths) * ui.gap <= ui.room[0]:
        with ui.table("numbers", [None, *(width / ui.scale for width in widths[1:])], lines=True) as shown:
            if shown:
                _draw_row(ui, units[0] if len(units) == 1 else "", *heads, colour=ui.theme.faint)
                for label, row in zip(labels, told, strict=True):
                    _draw_row(ui, label, *row)
        return
    even = [None] * len(heads)
    with ui.table("numbers", even) as shown:
        if shown:
            _draw_row(ui, *heads, colour=ui.theme.faint)
    for label, row, number in zip(labels, rows, step.numbers, strict=True):
        ui.rule()
        ui.verbatim(label)
        ui.beside()
        ui.verbatim(number.unit, ui.theme.faint)
        with ui.table("numbers", even) as shown:
            if shown:
                _draw_row(ui, *row)


def _draw_row(ui: Ui, *texts: str, colour: Rgba | None = None) -> None:
    ui.next_row()
    for column, text in enumerate(texts):
        if column:
            ui.next_cell()
        ui.verbatim(text, colour)


def _values(number: Number) -> list[str]:
    """Return a number's elements and its size, as people read them; the size of a place says nothing."""
    sizes = [] if number.unit == "u" else [math.hypot(*number.vector)]
    return [f"{value:,.2f}" for value in (*number.vector, *sizes)]
