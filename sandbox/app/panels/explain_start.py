"""Where Explain begins: an invitation, somebody to explain, and a look from near."""

from __future__ import annotations

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from components.flock import Flocker
from components.motion import Motion, Position, Velocity
from sandbox.app.drawing.camera import CLOSEST
from sandbox.app.session.session import Session
from sandbox.app.walking import Walking
from sandbox.explain.walk import Walk
from sandbox.language import labelled, said

NEAR = 0.45  # of what is free: as far as it sees


def invite(session: Session, walking: Walking) -> None:
    """What stands in the panel while nobody is explained."""
    one = session.selection.one
    if one is not None and walking.is_dear(session):
        imgui.text_wrapped(said("This world is so large that explaining one takes a while. Pause to see why it turns."))
        if imgui.button(labelled(f"{icons.ICON_FA_PAUSE} Pause and walk")):
            session.act("pause")
            walking.begin()
        return
    if one is not None:
        imgui.text_wrapped(said("Entity {one} no longer exists. Select another.", one=one))
    elif session.selection.serials:
        imgui.text_wrapped(
            said(
                "{count:,} are selected. Select a single one to see why it turns.", count=len(session.selection.serials)
            )
        )
    else:
        imgui.text_wrapped(
            said(
                "Why does it turn? Select one, and walk through its next tick: whom it sees, what each rule asks of "
                "it, the sum, and the move."
            )
        )
    if imgui.button(labelled(f"{icons.ICON_FA_CROSSHAIRS} Pick any")):
        pick_any(session)
        walking.begin()


def pick_any(session: Session) -> None:
    """Select one that moves near the middle of what is seen, if it can be one that flocks."""
    table, camera = session.simulation.world.table, session.camera
    rows = table.rows(Position, Velocity, Motion, Flocker)
    if not len(rows):
        rows = table.rows(Position, Velocity, Motion)
    if not len(rows):
        session.messages.warn("Nothing moves in this world: place some boids first.")
        return
    x, y = camera.looks_at
    away = np.hypot(table.columns["Position.x"][rows] - x, table.columns["Position.y"][rows] - y)
    session.selection.choose([table.serial[rows[np.lexsort((table.serial[rows], away))[0]]]])


def come_closer(session: Session, found: Walk) -> None:
    """Have it, and all it sees, in the middle of what panels leave free of the world."""
    camera = session.camera
    if found.why is not None and found.around is not None:
        camera.zoom = min(NEAR * min(camera.free) / found.around.shown, CLOSEST)
        camera.look_at(*found.why.position)
