"""How often frames come: as often as the display shows one while anything moves; while nothing does none is drawn."""

from __future__ import annotations

from pyglet.display.base import Screen

AWAKE = 1.0  # s after the last event or change: a tooltip or a highlight may still come or go
REST = 1.0  # s between two looks at what may have changed, while nothing happens
USUAL, LEAST, MOST = 60.0, 24.0, 500.0  # frames a second: where the display says nothing, and what is believed
EARLY = 0.9  # share of the display's interval after which the next frame may begin


class Pace:
    """Says when the next frame is due.

    Attributes:
        hidden: nobody sees the window: the world waits, nothing is drawn.
    """

    def __init__(self, screen: Screen | None) -> None:
        self.hidden = False
        self._moving = interval(screen)
        self._awake = AWAKE

    def wake(self) -> None:
        """Something happened: frames come at once."""
        self._awake = AWAKE

    def pass_time(self, seconds: float, moves: bool) -> None:
        """A frame ends; `moves`: the next one will differ though nobody does anything."""
        self._awake = AWAKE if moves else max(self._awake - seconds, 0.0)

    @property
    def rests(self) -> bool:
        """Whether nothing is to be drawn."""
        return self.hidden or self._awake == 0

    @property
    def interval(self) -> float:
        """Seconds from the begin of a frame to that of the next, at least; a frame that rests draws nothing."""
        return REST if self.rests else self._moving


def interval(screen: Screen | None) -> float:
    """Seconds between two frames on a display.

    Showing a frame waits for the display. A timer of the same interval would drift against it, and now and then come
    too late for a frame; a slightly shorter one has always run out when the display is ready, and still bounds the rate
    where nothing waits.
    """
    mode = screen.get_mode() if screen is not None else None
    rate = float(getattr(mode, "rate", None) or USUAL)
    return EARLY / (rate if LEAST <= rate <= MOST else USUAL)
