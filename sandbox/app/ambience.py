"""Lets a window be heard: what the camera shows while time runs, and a click for each deed of a tool."""

from __future__ import annotations

import numpy as np

from sandbox.app.session.session import Session
from sandbox.app.sound.listener import click, listen
from sandbox.app.sound.player import Player, has_device
from sandbox.app.sound.synthesizer import SILENCE, Heard
from systems.engine.events import Events

USUAL = 0.5  # the loudness, as in the preferences, at which sounds have the levels of the listener


class Ambience:
    """Tells a player in every frame what is heard; silent while time stands, goes back or is dragged."""

    def __init__(self, audible: bool) -> None:
        """Make the sound of a window; `audible`: whether it may play, if there is an audio device."""
        self._player = Player() if audible and has_device() else None
        self._moment: tuple[object, int] = (None, 0)  # the world and its tick in the last frame
        self._deeds = 0  # of the hand, that have been heard

    def frame(self, session: Session, hidden: bool = False) -> None:
        """Follow the session; called once in a frame, after its ticks."""
        if self._player is None:
            return
        heard = self.heard(session, hidden)
        if heard is SILENCE:
            self._player.rest()
        elif heard is not None:
            self._player.hear(heard, session.simulation.world.seed)

    def heard(self, session: Session, hidden: bool = False) -> Heard | None:
        """Return what is heard from this frame on; None: the same as before."""
        world, preferences, playback = session.simulation.world, session.preferences, session.playback
        clicks, self._deeds = session.hand.deeds > self._deeds, session.hand.deeds
        before, self._moment = self._moment, (world, world.tick)
        loudness = 0.0 if preferences.muted or hidden else preferences.sound / USUAL
        stands = session.clock.paused or playback.held or playback.goes or playback.backwards or session.asking.waits
        if not loudness or (stands and not clicks):
            return SILENCE
        if not (clicks or before != self._moment):
            return None
        heard = SILENCE
        if not stands:
            last = before[1] if before[0] is world else world.tick
            happened = tuple(each for each in world.resource(Events).recent if each.tick >= last)
            heard = listen(world, session.camera, session.clock.speed / 100, happened)
        if clicks:
            heard = Heard(heard.levels, np.concatenate([heard.notes, click()]))
        return heard.louder(loudness)

    def close(self) -> None:
        """Free the audio device."""
        if self._player is not None:
            self._player.close()
