"""Controls the frame rate: that of the display while anything moves; no frame is drawn while nothing does."""

from __future__ import annotations

from pyglet.display.base import Screen

AWAKE = 1.0  # s of frames after the last event or change: a tooltip or a highlight may still come or go
FEWEST = 12  # frames in that time, however slow they are: what an event does is seen a few frames later
REST = 1.0  # s between two updates while nothing happens
USUAL, LEAST, MOST = 60.0, 24.0, 500.0  # frames a second: the default, and the range of plausible display rates
EARLY = 0.9  # share of the display's interval after which the next frame may begin


class Pace:
    """Determines when the next frame is due.

    Attributes:
        hidden: whether the window is hidden; then the world is paused and nothing is drawn.
    """

    def __init__(self, screen: Screen | None) -> None:
        self.hidden = False
        self._moving = interval(screen)
        self._awake = AWAKE
        self._is_woken = False  # since the last update, so that the time before it does not count

    def wake(self) -> None:
        """Draw frames again at the full rate, because an event came."""
        self._awake, self._is_woken = AWAKE, True

    def pass_time(self, seconds: float, moves: bool) -> None:
        """Note that time passed since the last update; `moves`: the next frame will differ even without an event."""
        self._awake = AWAKE if moves or self._is_woken else max(self._awake - min(seconds, AWAKE / FEWEST), 0.0)
        self._is_woken = False

    @property
    def rests(self) -> bool:
        """Whether no frames are drawn."""
        return self.hidden or self._awake == 0

    @property
    def interval(self) -> float:
        """The shortest time between the starts of two updates, s."""
        return REST if self.rests else self._moving


def interval(screen: Screen | None) -> float:
    """Return the timer's interval for a display, s.

    With vsync, flipping waits for the display. A timer of the same interval would drift against the display and miss a
    frame now and then; a slightly shorter one has always expired when the display is ready, and still limits the rate
    if flipping does not wait.
    """
    mode = screen.get_mode() if screen is not None else None
    rate = float(getattr(mode, "rate", None) or USUAL)
    return EARLY / (rate if LEAST <= rate <= MOST else USUAL)
