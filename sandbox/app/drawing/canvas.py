"""The canvas: pictures, lines, arrows, rings, discs, sectors, boxes and texts over or under the animals, in the world.

Places and radii are in u, widths and arrow heads in pixels of the camera's screen, colours RGBA from 0 to 255. All
arguments are numpy arrays or a single value for all. Pictures are drawn first, with a draw call each. Other figures are
records, and all of a kind are drawn in one call: boxes, then round figures, lines, and letters. On a torus, those that
reach over an edge are also drawn on the other side, and nothing is drawn outside the world.

In a world with depth, pictures lie on its floor or back. Places are of three numbers, those of two lie in the middle of
the depth; other figures face the viewer, and lie over everything: they are brought to the screen first, and drawn there
as in a flat world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from arcade import ArcadeContext
from arcade.gl import Program, Texture2D
from numpy.typing import ArrayLike, NDArray
from pyglet import gl

from components.store.grids import FLOOR, PICTURE
from sandbox.app.drawing import canvas_shaders as shaders
from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.drawing.array_pictures import ArrayPicture, ArrayPictures
from sandbox.app.drawing.canvas_batches import BOX, LETTER, LINE, ROUND, Batch, Torus
from sandbox.app.drawing.letters import CELL, COLUMNS, PIXELS, SHEET, lettered
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.drawing.space.in_space import InSpace, screen_camera
from sandbox.app.drawing.view_block import ViewBlock
from systems.space.torus import minimum_images

f32, u8 = np.float32, np.uint8
INK = 245, 240, 230, 255
NOTHING = 0, 0, 0, 0
HALO = 0.55  # opacity of the dark halo around a line
HEAD = 9.0  # pixels: length of an arrow's head
LIGHT = gl.GL_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE, gl.GL_ONE  # alpha marks what shines if the backdrop glows
NO_LIGHT = gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ZERO, gl.GL_ONE
EDGE = 4.0  # pixels by which a line with its halo may extend beyond its ends


class Canvas:
    """Figures to be drawn in the world; they are kept until `begin` clears them.

    Attributes:
        context, camera: the graphics context; the camera of the view.
        alpha: the position of the frame between the previous tick (0) and the current one (1).
        torus: the size of a torus along each axis, u; else None.
    """

    def __init__(self, context: ArcadeContext) -> None:
        self.context = context
        self.torus: Torus | None = None
        self.alpha, self._ratio = 1.0, 1.0
        self._in_space: InSpace | None = None  # brings figures to the screen, in a world with depth
        self._view = ViewBlock(context)
        self._lines = Batch(context, LINE, shaders.LINE_VERTEX, shaders.LINE_FRAGMENT)
        self._rounds = Batch(context, ROUND, shaders.ROUND_VERTEX, shaders.ROUND_FRAGMENT)
        self._pictures = ArrayPictures(context)
        self._waiting_pictures: list[ArrayPicture] = []
        self._boxes = Batch(context, BOX, shaders.BOX_VERTEX, shaders.BOX_FRAGMENT)
        self._letters = Batch(context, LETTER, shaders.LETTER_VERTEX, shaders.LETTER_FRAGMENT)
        self._sheet: tuple[int, Texture2D] | None = None  # the number of letters in it

    def begin(
        self, camera: AnyCamera, torus: Torus | None, alpha: float = 1.0, ratio: float = 1.0, layer: str = ""
    ) -> None:
        """Clear it for a new frame of this camera.

        Args:
            ratio: pixels of the framebuffer per pixel of the screen.
            layer: one of the layers that take turns on this canvas.
        """
        self._layer = layer
        self.camera, self.torus, self.alpha, self._ratio = camera, torus, alpha, ratio
        self._in_space = InSpace(camera) if isinstance(camera, SpaceCamera) else None
        self._plane = screen_camera(camera.screen) if isinstance(camera, SpaceCamera) else camera
        self._view.show(self._plane)
        for waiting in self.waiting:
            waiting.clear()

    @property
    def waiting(self) -> list[list[Any]]:
        """The figures to be drawn, a list for each kind."""
        kinds = self._boxes, self._rounds, self._lines, self._letters
        return [self._waiting_pictures, *(kind.waiting for kind in kinds)]

    @property
    def collects_light(self) -> bool:
        """Whether the current framebuffer is one of a backdrop that glows."""
        return any(texture.dtype == "f2" for texture in self.context.active_framebuffer.color_attachments)

    @property
    def pixel(self) -> float:
        """u per pixel of the camera's screen; in a world with depth, at what is looked at."""
        return 1 / self.camera.zoom

    @property
    def _copied_on(self) -> Torus | None:
        """The torus on which figures are copied across the edges: only those of flat worlds are."""
        return None if self._in_space else self.torus

    def picture(
        self,
        numbers: ArrayLike,
        colours: ArrayLike,
        most: float = 1.0,
        *,
        low: tuple[float, float] = (0.0, 0.0),
        size: tuple[float, float] | None = None,
        alpha: float = 1.0,
        smooth: bool = True,
        plane: str = PICTURE,
    ) -> None:
        """Draw an array of numbers over a flat world, or on a side of one with depth, coloured by a ramp.

        Args:
            numbers: (lines, columns), the first line at the bottom.
            colours: (n, 4), RGBA, the ramp for numbers from 0 to `most`, evenly spaced and interpolated.
            low, size: lower left corner, and width and height, u; by default it covers the world.
            alpha: opacity, 0 to 1.
            smooth: interpolate between cells, on a torus also across the edges; else each cell has one colour.
            plane: in a world with depth, "picture": over x and y, where z is 0; or "floor": over x and z, where y is 0.
        Raises:
            ValueError: an array has the wrong shape.
        """
        made, ramp = np.ascontiguousarray(numbers, f32), np.ascontiguousarray(colours, u8)
        if made.ndim != 2 or not made.size or ramp.ndim != 2 or ramp.shape[1] != 4 or not len(ramp):
            raise ValueError(
                f"a picture takes numbers (lines, columns) and colours (n, 4), not {made.shape} and {ramp.shape}"
            )
        if size is None:
            wide, *others = self.camera.world_size
            size = wide, others[-1] if plane == FLOOR else others[0]
        self._waiting_pictures.append(ArrayPicture(made, ramp, most, low, size, alpha, smooth, plane))

    def lines(
        self,
        begin: ArrayLike,
        end: ArrayLike,
        colour: ArrayLike = INK,
        width: ArrayLike = 1.5,
        *,
        head: ArrayLike = 0.0,
        halo: ArrayLike = 0.0,
        fades_to: ArrayLike | None = None,
    ) -> None:
        """Draw straight lines with round ends.

        Args:
            begin, end: (n, axes), u; not wrapped on a torus: see `nearest`.
            colour: (n, 4) or a single one; `fades_to`: the colour at the end, if it differs.
            head: length of an arrow's head, pixels; if negative, the ends are cut straight, so that translucent
                segments of a polyline don't overlap.
            halo: opacity of the dark halo around the lines, 0 to 1.
        """
        begin, end = np.atleast_2d(begin), np.atleast_2d(end)
        if self._in_space:
            begin, end = self._in_space.lines(begin, end)
        made = np.zeros(max(len(begin), len(end)), LINE)
        made["begin"], made["end"], made["width"], made["head"], made["halo"] = begin, end, width, head, halo
        made["colour"], made["fades_to"] = colour, colour if fades_to is None else fades_to
        low, high = np.minimum(made["begin"], made["end"]), np.maximum(made["begin"], made["end"])
        margin = (0.5 * made["width"] + 0.5 * made["head"] + EDGE) * f32(1 / self._plane.zoom)
        self._lines.put(made, low - margin[:, None], high + margin[:, None], self._copied_on)

    def arrows(
        self,
        begin: ArrayLike,
        end: ArrayLike,
        colour: ArrayLike = INK,
        width: ArrayLike = 2.0,
        *,
        head: ArrayLike = HEAD,
        halo: ArrayLike = HALO,
    ) -> None:
        """Draw arrows; the head shrinks if an arrow is short."""
        self.lines(begin, end, colour, width, head=head, halo=halo)

    def polyline(
        self,
        points: ArrayLike,
        colour: ArrayLike = INK,
        width: ArrayLike = 1.5,
        *,
        closed: bool = False,
        halo: ArrayLike = 0.0,
    ) -> None:
        """Draw lines from each point, (n, axes), to the next."""
        points = np.atleast_2d(points)
        begin, end = (points, np.roll(points, -1, axis=0)) if closed else (points[:-1], points[1:])
        if len(begin):
            self.lines(begin, end, colour, width, halo=halo)

    def rings(
        self,
        centre: ArrayLike,
        radius: ArrayLike,
        colour: ArrayLike = INK,
        width: ArrayLike = 1.5,
        *,
        grow: ArrayLike = 0.0,
        halo: ArrayLike = HALO,
    ) -> None:
        """Draw circles around places, (n, axes); the middle of the line is at `radius` (u) plus `grow` (pixels)."""
        self.sectors(centre, (1, 0), 360, radius, NOTHING, colour, width, grow=grow, halo=halo)

    def discs(self, centre: ArrayLike, radius: ArrayLike, colour: ArrayLike = INK, *, grow: ArrayLike = 0.0) -> None:
        """Draw filled circles around places, (n, axes), with `radius` (u) plus `grow` (pixels)."""
        self.sectors(centre, (1, 0), 360, radius, colour, NOTHING, 0.0, grow=grow)

    def sectors(
        self,
        centre: ArrayLike,
        heading: ArrayLike,
        fov: ArrayLike,
        radius: ArrayLike,
        fill: ArrayLike = NOTHING,
        line: ArrayLike = INK,
        width: ArrayLike = 1.5,
        *,
        grow: ArrayLike = 0.0,
        halo: ArrayLike = 0.0,
    ) -> None:
        """Draw sectors around places, (n, axes), with a unit heading, (n, axes), and a field of view in degrees.

        With a field of view of 360 or more, or a heading of zeros, it is a disc. In a world with depth it is the part
        of a ball within half the field of view of the heading, a cone, as it looks from here.
        """
        centre, heading = np.atleast_2d(centre), np.atleast_2d(heading)
        made, still = np.zeros(len(centre), ROUND), (heading == 0).all(axis=1)
        if self._in_space:
            radius = np.asarray(radius) * self._in_space.sizes(centre)
            heading, made["lean"] = self._in_space.ways(heading, centre)
            centre = self._in_space.pixels(centre)
        made["centre"], made["radius"], made["grow"] = centre, radius, grow
        made["heading"] = np.where(still[:, None], (1, 0), heading)
        made["width"], made["halo"], made["fill"], made["line"] = width, halo, fill, line
        half = np.minimum(np.radians(np.asarray(fov, f32)) / 2, math.pi)
        made["fan"] = np.where(still, math.pi, half)
        margin = made["radius"] + (made["grow"] + 0.5 * made["width"] + EDGE) * f32(1 / self._plane.zoom)
        self._rounds.put(made, centre - margin[:, None], centre + margin[:, None], self._copied_on)

    def boxes(
        self,
        low: ArrayLike,
        high: ArrayLike,
        fill: ArrayLike = NOTHING,
        line: ArrayLike = NOTHING,
        width: ArrayLike = 0.0,
        *,
        halo: ArrayLike = 0.0,
    ) -> None:
        """Draw axis-aligned rectangles from lower left corners, (n, 2), to upper right ones."""
        low, high = np.atleast_2d(low), np.atleast_2d(high)
        if self._in_space:
            one, other = self._in_space.pixels(low), self._in_space.pixels(high)
            low, high = np.minimum(one, other), np.maximum(one, other)
        made = np.zeros(max(len(low), len(high)), BOX)
        made["low"], made["high"], made["fill"], made["line"] = low, high, fill, line
        made["width"], made["halo"] = width, halo
        margin = (0.5 * made["width"] + EDGE) * f32(1 / self._plane.zoom) * (made["width"] > 0)
        self._boxes.put(made, made["low"] - margin[:, None], made["high"] + margin[:, None], self._copied_on)

    def text(
        self,
        places: ArrayLike,
        words: str | Sequence[str],
        size: ArrayLike = 0.0,
        colour: ArrayLike = INK,
        *,
        grow: ArrayLike = 0.0,
        halo: ArrayLike = HALO,
    ) -> None:
        """Draw texts in one line each, with their middle at places, (n, axes).

        Args:
            words: one text, or one for each place.
            size: height of the letters, u, to which `grow`, pixels, is added: `size=20` zooms with the world,
                `grow=14` does not. A single one, or one for each place; so are `colour` and `halo`.
        """
        middle = np.atleast_2d(np.asarray(places, f32))
        count = len(middle)
        if self._in_space:
            size = np.asarray(size) * self._in_space.sizes(middle)
            middle = self._in_space.pixels(middle).astype(f32)
        texts = [lettered(text) for text in ([words] * count if isinstance(words, str) else words)]
        if len(texts) != count:
            raise ValueError(f"there are {len(texts)} texts for {count} places: must be one text, or one for each")
        lengths = [len(text.cells) for text in texts]
        if not sum(lengths):
            return
        which = np.repeat(np.arange(count), lengths)
        letter = np.asarray(size, f32) + np.asarray(grow, f32) * f32(1 / self._plane.zoom)
        high = np.broadcast_to(letter, count)[which, None]
        made = np.zeros(len(which), LETTER)
        made["cell"] = np.concatenate([text.cells for text in texts])
        made["low"] = middle[which] + high * np.concatenate([text.low for text in texts])
        made["high"] = made["low"] + high * f32(CELL / PIXELS)
        made["colour"] = np.broadcast_to(np.asarray(colour, u8), (count, 4))[which]
        made["halo"] = np.broadcast_to(np.asarray(halo, f32), count)[which]
        self._letters.put(made, made["low"], made["high"], self._copied_on)

    def nearest(self, places: ArrayLike, to: ArrayLike) -> NDArray[np.float32]:
        """Return places, (n, axes); on a torus, the copies nearest to `to`."""
        places, to = np.asarray(places, f32), np.asarray(to, f32)
        way = places - to
        nearest: NDArray[np.float32] = places + (minimum_images(way, self.torus) - way)
        return nearest

    def on_screen(self, places: NDArray[Any], margin: float | NDArray[Any] = 0.0) -> NDArray[np.bool_]:
        """Return a mask of the places, (n, axes), that are visible, or within `margin` (u) of the visible area."""
        if self._in_space:
            return self._in_space.shows(places, margin)
        camera = self._plane
        seen = np.ones(len(places), bool)
        way = minimum_images(places - np.array((camera.x, camera.y), f32), self.torus)
        for axis in (0, 1):
            off = way[:, axis]
            seen &= np.abs(off) <= f32(camera.screen[axis] / 2 / camera.zoom) + np.asarray(margin, f32)
        return seen

    def draw(self) -> None:
        """Draw all figures into the current framebuffer."""
        self.blend()
        self._pictures.draw(self._layer, self._waiting_pictures, self.camera, self.torus is not None)
        for kind in (self._boxes, self._rounds, self._lines, self._letters):
            if kind.waiting:
                self.aim(kind.program)
                if kind is self._letters:
                    self._use_sheet(kind.program)
                kind.draw(self.context)

    def _use_sheet(self, program: Program) -> None:
        """Upload the letters if there are new ones, and set the uniforms of the sheet."""
        if self._sheet is None or self._sheet[0] != len(SHEET):
            lines, columns = SHEET.pixels.shape
            context, data = self.context, SHEET.pixels.tobytes()
            texture = context.texture((columns, lines), components=1, data=data)
            texture.build_mipmaps()
            texture.filter = context.LINEAR_MIPMAP_LINEAR, context.LINEAR
            self._sheet = len(SHEET), texture
        program["letters"], program["sheet"] = 0, (COLUMNS, len(SHEET.pixels) // CELL)
        self._sheet[1].use(0)

    def blend(self, *, adds: bool = False) -> None:
        """Enable alpha blending; `adds`: as light, which adds to what is behind it."""
        self.context.enable_only(self.context.BLEND)
        self.context.blend_func = LIGHT if adds else NO_LIGHT

    def aim(self, program: Program) -> None:
        """Set what a shader program needs beside the view: `pixel`, `smoothing` and `torus`."""
        program.set_uniform_safe("pixel", 1 / self._plane.zoom)
        program.set_uniform_safe("deep", self._in_space is not None)
        program["smoothing"], program["torus"] = 1 / self._ratio, self._copied_on or (0.0, 0.0)
