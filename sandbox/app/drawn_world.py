"""One of the worlds that a window or a picture shows: a session, drawn by a painter, with overlays."""

from __future__ import annotations

from PIL import Image

from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.drawing.painter import Layer, Painter
from sandbox.app.drawing.picture import drawn
from sandbox.app.overlays.overlays import Overlays
from sandbox.app.session.session import Session


class DrawnWorld:
    """The world of a session, with what draws it."""

    def __init__(self, session: Session, painter: Painter, overlays: Overlays) -> None:
        self.session, self.painter, self.overlays = session, painter, overlays

    def take(self) -> None:
        """Gather what is drawn; call it after ticks and commands, because some overlays show the past."""
        self.painter.colouring = self.session.document.colouring
        self.painter.take(self.session.simulation)
        self.overlays.update(self.session)

    def draw(self, camera: AnyCamera, alpha: float, ratio: float = 1.0, *, in_hand: bool = False) -> None:
        """Draw the world with the overlays that are shown into the current framebuffer, see `Painter.draw`.

        Args:
            in_hand: with the preview of the active tool, which pictures leave out.
        """
        layers, moves = self._layers(in_hand), self.session.playback.runs
        self.painter.draw(camera, alpha, ratio, *layers, moves=moves)

    def picture(
        self, camera: AnyCamera, alpha: float, ratio: float = 1.0, into: Offscreen | None = None
    ) -> Image.Image:
        """Return the camera's view as a picture, RGB, of its screen's size times `ratio`.

        Args:
            into: a target that is used again; default: a new one.
        """
        return drawn(self.painter, camera, alpha, ratio, *self._layers(in_hand=False), into)

    def _layers(self, in_hand: bool) -> tuple[Layer, Layer]:
        self.painter.animals.still = self.session.preferences.reduce_motion
        return self.overlays.layers(self.session, in_hand=in_hand)
