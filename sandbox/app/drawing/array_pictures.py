"""Draws two-dimensional arrays of numbers over the world, or on a side of one with depth, coloured by a ramp."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from arcade import ArcadeContext
from numpy.typing import NDArray

from components.store.grids import FLOOR
from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.drawing.shaders import SCREEN_VERTEX
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.drawing.space.view import SpaceView, space_program
from sandbox.app.drawing.view_block import view_program

SPACE_VERTEX = """
#version 330
uniform vec2 low;
uniform vec2 size;
uniform bool on_floor;  // it lies where y is 0, else where z is 0
out vec2 place;

void main() {
    place = low + size * vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = in_clip((on_floor ? vec3(place.x, 0.0, place.y) : vec3(place, 0.0)) - focus.xyz);
}
"""
FRAGMENT = """
#version 330
in vec2 place;
uniform vec2 low;      // u, corner of the picture
uniform vec2 size;     // u
uniform float per;     // factor from a number to its position in the ramp, 0 to 1
uniform float opacity;
uniform bool is_smooth;
uniform sampler2D numbers;
uniform sampler2D colours;
out vec4 painted;

float smooth_number(vec2 there, vec2 cells) {  // a cubic B-spline, from four bilinear lookups
    there -= 0.5;
    vec2 f = fract(there), g = 1.0 - f;
    vec2 w0 = g * g * g, w1 = 4.0 - 3.0 * f * f * (2.0 - f), w2 = 4.0 - 3.0 * g * g * (2.0 - g), w3 = f * f * f;
    vec2 s0 = w0 + w1, s1 = w2 + w3;
    vec2 a = (floor(there) - 0.5 + w1 / s0) / cells, b = (floor(there) + 1.5 + w3 / s1) / cells;
    float lower = mix(texture(numbers, vec2(b.x, a.y)).r, texture(numbers, a).r, s0.x / 6.0);
    float upper = mix(texture(numbers, b).r, texture(numbers, vec2(a.x, b.y)).r, s0.x / 6.0);
    return mix(upper, lower, s0.y / 6.0);
}

void main() {
    vec2 share = (place - low) / size;
    if (any(lessThan(share, vec2(0.0))) || any(greaterThanEqual(share, vec2(1.0)))) discard;
    ivec2 cells = textureSize(numbers, 0);
    vec2 there = share * cells;
    float number = is_smooth ? smooth_number(there, cells) : texelFetch(numbers, ivec2(there), 0).r;
    float steps = textureSize(colours, 0).x - 1;
    painted = texture(colours, vec2((clamp(number * per, 0.0, 1.0) * steps + 0.5) / (steps + 1.0), 0.5));
    painted.a *= opacity;
}
"""


class ArrayPicture(NamedTuple):
    """An array of numbers and how to draw it.

    Attributes:
        numbers: float32 (lines, columns), the first line at the bottom.
        colours: uint8 (n, 4), RGBA, the ramp for numbers from 0 to `most`, evenly spaced.
        low, size: lower left corner, and width and height, u.
        alpha: opacity, 0 to 1.
        smooth: whether to interpolate between cells; else each cell has one colour.
        plane: one of PLANES, where it lies in a world with depth.
    """

    numbers: NDArray[np.float32]
    colours: NDArray[np.uint8]
    most: float
    low: tuple[float, float]
    size: tuple[float, float]
    alpha: float
    smooth: bool
    plane: str


class Held:
    """The textures of a picture, and what they contain."""

    def __init__(self, context: ArcadeContext, picture: ArrayPicture) -> None:
        lines, columns = picture.numbers.shape
        numbers, colours = picture.numbers.tobytes(), picture.colours.tobytes()
        self._contents, self._size = [numbers, colours], (picture.numbers.shape, picture.colours.shape)
        self._textures = (
            context.texture((columns, lines), components=1, dtype="f4", data=numbers),
            context.texture((len(picture.colours), 1), components=4, data=colours),
        )
        self._textures[1].wrap_x = context.CLAMP_TO_EDGE

    def fits(self, picture: ArrayPicture) -> bool:
        """Return whether a picture has the sizes of these textures."""
        return self._size == (picture.numbers.shape, picture.colours.shape)

    def take(self, picture: ArrayPicture) -> None:
        """Upload what differs in a picture that fits."""
        wanted = [picture.numbers.tobytes(), picture.colours.tobytes()]
        for texture, before, now in zip(self._textures, self._contents, wanted, strict=True):
            if before != now:
                texture.write(now)
        self._contents = wanted

    def use(self, wrap: int) -> None:
        """Bind the textures to texture units 0 and 1; `wrap`: how numbers continue beyond the edges."""
        self._textures[0].wrap_x = self._textures[0].wrap_y = wrap
        for unit, texture in enumerate(self._textures):
            texture.use(unit)


class ArrayPictures:
    """The shader program and textures of array pictures.

    The textures are kept from frame to frame, those of the first picture of a layer, of the second one and so on. So
    only what has changed is uploaded.
    """

    def __init__(self, context: ArcadeContext) -> None:
        self._context, self._view = context, SpaceView(context)
        self._flat = view_program(context, SCREEN_VERTEX, FRAGMENT)
        self._deep = space_program(context, SPACE_VERTEX, FRAGMENT)
        for program in (self._flat, self._deep):
            program["numbers"], program["colours"] = 0, 1
        self._corners = context.geometry()
        self._held: dict[str, list[Held]] = {}

    def draw(self, layer: str, pictures: list[ArrayPicture], camera: AnyCamera, wraps: bool) -> None:
        """Draw the pictures of a layer into the current framebuffer; `wraps`: interpolate across edges of a torus.

        In a world with depth, what is nearer hides them where the framebuffer knows what is.
        """
        held = self._held.setdefault(layer, [])
        if pictures and isinstance(camera, SpaceCamera):
            self._view.show(camera)
            self._context.enable(self._context.DEPTH_TEST)
        del held[len(pictures) :]
        for index, picture in enumerate(pictures):
            if index < len(held) and held[index].fits(picture):
                held[index].take(picture)
            else:
                held[index : index + 1] = [Held(self._context, picture)]
            held[index].use(self._context.REPEAT if wraps else self._context.CLAMP_TO_EDGE)
            self._draw(picture, isinstance(camera, SpaceCamera))
        self._context.enable_only(self._context.BLEND)

    def _draw(self, picture: ArrayPicture, in_space: bool) -> None:
        program = self._deep if in_space else self._flat
        program["low"], program["size"] = picture.low, picture.size
        program["per"], program["opacity"] = 1 / max(picture.most, 1e-9), picture.alpha
        program["is_smooth"] = picture.smooth
        if not in_space:
            self._corners.render(program, vertices=3, mode=self._context.TRIANGLES)
            return
        program["on_floor"] = picture.plane == FLOOR
        self._corners.render(program, vertices=4, mode=self._context.TRIANGLE_STRIP)
