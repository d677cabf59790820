"""The text over the picture: a line of numbers, messages, and the keys."""

from __future__ import annotations

import arcade

from sandbox.clock import Clock
from sandbox.simulation import Simulation

FONT = "Liberation Sans"
FIXED_FONT = "Liberation Mono"
INK = 240, 232, 218, 255
PANEL = 10, 11, 26, 176
MARGIN, PADDING = 8, 6  # pixels
MESSAGE_SECONDS = 6.0

KEYS = (
    ("left click, drag", "place with the tool"),
    ("right drag", "remove"),
    ("1 2 3", "boid, predator, obstacle"),
    ("4 5 6 7", "wall, wind, food, goal"),
    ("Tab, Shift+Tab", "next tool, the one before"),
    ("scroll", "zoom at the cursor"),
    ("middle drag, W A S D", "pan"),
    ("Home", "see the whole world"),
    ("Space", "pause, go on"),
    (".", "pause, then one tick"),
    (", /", "slower, faster"),
    ("R", "restart"),
    ("F1", "these keys"),
    ("F2", "screenshot"),
    ("F11", "full screen"),
    ("Esc", "hide, show the text"),
    ("drop a file", "open that scene"),
)
HELP = "\n".join(f"{key:<21}{what}" for key, what in KEYS)
COLUMNS = max(len(line) for line in HELP.split("\n"))
LETTER, LINE = 0.95, 1.65  # pixels wide and high, per point of a letter of the fixed font
ROOM_FOR_BOTH = 400  # pixels: where the keys and the numbers find room one above the other


def status(simulation: Simulation, clock: Clock, frames_per_second: float, tool: str) -> str:
    """The line of numbers; parts are held together by spaces that don't break."""
    asked, reached = clock.speed / 100, clock.reached()
    if clock.paused:
        speed = f"paused ({asked:g}x)"
    elif abs(reached - asked) > 0.06 * asked:
        speed = f"{reached:.1f}x real time ({asked:g}x asked for)"
    else:
        speed = f"{asked:g}x real time"
    parts = (
        f"tick {simulation.tick:,}",
        f"{simulation.world.table.size:,} entities",
        f"{frames_per_second:.0f} frames/s",
        f"{clock.tick_ns / 1e6:.2f} ms per tick",
        speed,
        tool,
    )
    return "   ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)


class Hud:
    """Lays the texts out and draws them, each on a dark panel so that it can be read over anything."""

    def __init__(self) -> None:
        for file in ("Sans", "Mono"):
            arcade.load_font(f":system:fonts/ttf/Liberation/Liberation_{file}_Regular.ttf")
        self.hidden = False
        self.help = False
        self._line = self._text(FONT, "top")
        self._message = self._text(FONT, "bottom")
        self._help = self._text(FIXED_FONT, "center")
        self._help.text = HELP
        self._seconds_left = 0.0

    @property
    def message(self) -> str:
        """What is said at the moment."""
        return self._message.text if self._seconds_left > 0 else ""

    @property
    def line(self) -> str:
        """The line of numbers, with plain spaces."""
        return self._line.text.replace("\N{NO-BREAK SPACE}", " ")

    def say(self, message: str, seconds: float = MESSAGE_SECONDS) -> None:
        """Show a message for a while, also where the other text is hidden: it answers what someone just did."""
        self._message.text = message
        self._seconds_left = seconds

    def set_line(self, line: str) -> None:
        """Change the numbers. Laying out takes a while: not for every frame."""
        self._line.text = line

    def pass_time(self, seconds: float) -> None:
        """Let messages grow old."""
        self._seconds_left -= seconds

    def draw(self, width: int, height: int) -> None:
        """Draw into a window of so many pixels."""
        size = 12 if width >= 720 else 10
        room = max(width - 2 * (MARGIN + PADDING), 40)
        if self.help and not self.hidden:
            fitting = min(size, (height - 2 * (MARGIN + PADDING)) / len(KEYS) / LINE, room / COLUMNS / LETTER)
            self._draw(self._help, MARGIN + PADDING, height / 2, room, fitting)
        if not self.hidden and not (self.help and height < ROOM_FOR_BOTH):
            self._draw(self._line, MARGIN + PADDING, height - MARGIN - PADDING, room, size)
        if self.message:
            self._draw(self._message, MARGIN + PADDING, MARGIN + PADDING, room, size)

    def _draw(self, text: arcade.Text, x: float, y: float, width: float, size: float) -> None:
        # Every change lays the text out anew: change only what differs.
        for name, value in (("font_size", size), ("width", int(width)), ("x", x), ("y", y)):
            if getattr(text, name) != value:
                setattr(text, name, value)
        panel = text.left - PADDING, text.left + text.content_width + PADDING, text.bottom - PADDING, text.top + PADDING
        arcade.draw_lrbt_rectangle_filled(*panel, PANEL)
        text.draw()

    @staticmethod
    def _text(font: str, anchor: str) -> arcade.Text:
        return arcade.Text("", 0, 0, INK, 12, 400, font_name=font, anchor_y=anchor, multiline=True)
