"""Backdrops: colours from top to bottom, a glow, stars, and a mottled ground.

Each backdrop has its own shader program with its values as constants. Software renderers execute every branch that
depends on a uniform, so features that a backdrop lacks must be removed at compile time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from arcade import ArcadeContext
from arcade.gl import Program

from sandbox.app.drawing import shaders
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.colours import shares_of

Colour = tuple[float, float, float]
LOW_SUN = -0.42, -0.91


@dataclass(frozen=True)
class Backdrop:
    """The values of a backdrop.

    Attributes:
        top, high, low, bottom, glow: colours of the upper edge, of two heights in between, of the lower edge, and of
            the glow.
        glow_at: place of the glow, in shares of the world's size.
        mottled: contrast of the spots of the ground, 0 to 1.
        spot: width of the spots, u.
        stars: number of stars per square of 100 x 100 u.
    """

    top: Colour
    high: Colour
    low: Colour
    bottom: Colour
    glow: Colour
    glow_at: tuple[float, float]
    mottled: float
    spot: float
    stars: float

    @property
    def glows(self) -> bool:
        """Whether what is bright glows in front of it: at night and in space."""
        return self.stars > 0

    @property
    def light(self) -> tuple[float, float]:
        """The unit vector from the middle of the world to the glow; LOW_SUN if the glow is in the middle."""
        x, y = self.glow_at[0] - 0.5, self.glow_at[1] - 0.5
        far = math.hypot(x, y)
        return (x / far, y / far) if far > 0.1 else LOW_SUN


def _backdrop(
    colours: str, glow_at: tuple[float, float], mottled: float = 0.0, spot: float = 60.0, stars: float = 0.0
) -> Backdrop:
    top, high, low, bottom, glow = map(shares_of, colours.split())
    return Backdrop(top, high, low, bottom, glow, glow_at, mottled, spot, stars)


BACKDROPS = {
    "dusk": _backdrop("#0b0f22 #191836 #3b2549 #6b3647 #b05838", (0.22, -0.10)),
    "dawn": _backdrop("#1c2a4a #3a4668 #7d6a7c #c98f7a #ffcf8f", (0.75, -0.12)),
    "sea": _backdrop("#1f7f8c #12586d #0a3a55 #06253f #7fd8d0", (0.35, 1.10), mottled=0.22, spot=120.0),
    "meadow": _backdrop("#4f7d4a #588750 #5c8a4f #51794a #93ad5c", (0.30, 0.75), mottled=0.26, spot=110.0),
    "storm": _backdrop("#141a24 #222b38 #35414f #465360 #8fa3b3", (0.55, 0.50), mottled=0.30, spot=260.0),
    "street": _backdrop("#4a4147 #51474b #564b4c #4b4146 #7d6a5c", (0.50, 0.50), mottled=0.14, spot=18.0),
    "night": _backdrop("#05060f #080a18 #0c0d20 #0a0b1a #2b2352", (0.68, 0.62), mottled=0.35, spot=420.0, stars=1.4),
    "garden": _backdrop("#6d624e #756a55 #7a6e58 #6f6450 #a8946c", (0.50, 0.50), mottled=0.16, spot=14.0),
    "nebula": _backdrop("#070a1f #12123a #2a1548 #12102f #5a2568", (0.60, 0.55), mottled=0.55, spot=900.0, stars=0.1),
    "slate": _backdrop("#0d2429 #12323a #173f45 #123038 #2f6a66", (0.30, 0.95), mottled=0.10, spot=40.0),
    "sunset": _backdrop("#2b1b4a #5a2b63 #a8496b #f0936f #ffd08a", (0.70, 0.10)),
    "noon": _backdrop("#2a6aa8 #4186bf #6ba7d4 #a3cde6 #eaf6fb", (0.80, 1.00), mottled=0.10, spot=260.0),
    "savanna": _backdrop("#77552c #80602f #866633 #6d4d29 #c9974a", (0.20, 0.90), mottled=0.26, spot=70.0),
    "lagoon": _backdrop("#1aa09b #128089 #0e6575 #0a4c60 #a4f0d8", (0.60, 1.05), mottled=0.24, spot=60.0),
}


class Sky:
    """The shader programs of one graphics context, each compiled when its backdrop is first shown."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._screen = context.geometry(mode=context.TRIANGLES)
        self._programs: dict[str, Program] = {}
        self.show("dusk")

    def show(self, backdrop: str) -> None:
        """Choose the one of BACKDROPS to draw."""
        if backdrop not in self._programs:
            fragment = shaders.SKY_FRAGMENT.replace("BACKDROP", _constants(BACKDROPS[backdrop]))
            program = self._context.program(vertex_shader=shaders.SCREEN_VERTEX, fragment_shader=fragment)
            self._programs[backdrop] = program
        self._program = self._programs[backdrop]

    def draw(self, camera: Camera, pixel: float) -> None:
        """Draw the backdrop behind everything; `pixel`: u per pixel of the framebuffer."""
        program = self._program
        program["middle"], program["scale"] = (camera.x, camera.y), camera.scale
        program["world"], program["pixel"], program["tiles"] = camera.world, pixel, camera.tiles
        self._screen.render(program, vertices=3)


def _constants(backdrop: Backdrop) -> str:
    """Return the values of a backdrop as GLSL constants."""
    lines = []
    for field in fields(backdrop):
        value = getattr(backdrop, field.name)
        numbers = value if isinstance(value, tuple) else (value,)
        kind = "float" if len(numbers) == 1 else f"vec{len(numbers)}"
        lines.append(f"const {kind} {field.name} = {kind}({', '.join(f'{number:.6f}' for number in numbers)});")
    return "\n".join(lines)
