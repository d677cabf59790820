"""Loads picture files as textures, and draws those behind the world: each covers the world and is cropped to it."""

from __future__ import annotations

import math
from pathlib import Path

from arcade import ArcadeContext
from arcade.gl import Texture2D
from PIL import Image, ImageOps

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.shaders import SCREEN_VERTEX
from sandbox.app.drawing.view_block import view_program
from sandbox.design.kept_tables import Tables
from sandbox.design.pictures import Pictures, open_picture, picture_file, wrong_files
from sandbox.files import changed_at

MOST = 4096  # pixels of a side of one picture; of several, as many pixels together: larger ones are scaled down
FRAGMENT = """
#version 330
in vec2 place;
uniform vec2 world_size;  // u
uniform vec2 picture;     // u, its size when it covers the world
uniform bool tiles;       // a torus, repeated beyond its edges
uniform float light;
uniform sampler2D pixels;
out vec4 painted;

void main() {
    if (!tiles && (any(lessThan(place, vec2(0.0))) || any(greaterThan(place, world_size)))) discard;
    vec2 there = tiles ? mod(place, world_size) : place;
    vec2 share = (there - 0.5 * world_size) / picture + 0.5;
    vec2 across = place / picture;  // for the mipmap level: continuous, else the edges would show as lines
    vec4 seen = textureGrad(pixels, vec2(share.x, 1.0 - share.y), dFdx(across), dFdy(across));
    painted = vec4(seen.rgb * light, seen.a);
}
"""
UNREADABLE = OSError, ValueError, SyntaxError, Image.DecompressionBombError  # what Pillow raises for damaged files


class OwnPictures:
    """The shader program and textures of one graphics context."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._program = view_program(context, SCREEN_VERTEX, FRAGMENT)
        self._screen = context.geometry(mode=context.TRIANGLES)
        self._textures: dict[tuple[Path, int, int], Texture2D | None] = {}  # by file, time of its last change, `most`
        self._known: list[tuple[Path, int, float]] = []
        self._shown: list[tuple[Texture2D, float]] = []

    def take(self, kept: Tables, folder: Path | None) -> None:
        """Load the pictures of a world that are to be drawn; skip files that can't be read.

        Args:
            kept: what the world has of them; `folder`: that of its scene.
        """
        found = [(path, Pictures.whole(own)["light"]) for own in kept.values() if (path := picture_file(own, folder))]
        known = [(path, changed_at(path), light) for path, light in found]
        if known == self._known:
            return
        before, self._textures, wrong = self._textures, {}, wrong_files(path for path, _, _ in known)
        right = [one for one in known if one[0] not in wrong]
        most = int(MOST / math.sqrt(max(len({path for path, _, _ in right}), 1)))
        before = {key: texture for key, texture in before.items() if key[2] == most}
        for path, changed, _ in right:
            key = path, changed, most
            self._textures[key] = before.get(key) or self._textures.get(key) or texture_of(self._context, path, most)
        shown = ((self._textures[path, changed, most], light) for path, changed, light in right)
        self._known, self._shown = known, [(texture, light) for texture, light in shown if texture is not None]

    def draw(self, camera: Camera) -> None:
        """Draw the pictures over the sky."""
        context, program = self._context, self._program
        for texture, light in self._shown:
            wide, high = texture.size
            scale = max(camera.world_size[0] / wide, camera.world_size[1] / high)
            program["world_size"], program["picture"] = camera.world_size, (wide * scale, high * scale)
            program["tiles"], program["light"] = camera.tiles, light
            texture.use(0)
            context.enable_only(context.BLEND)
            context.blend_func = context.BLEND_DEFAULT
            self._screen.render(program, vertices=3)
            context.enable_only()


def texture_of(context: ArcadeContext, path: Path, most: int) -> Texture2D | None:
    """Load a picture as `decoded` does; None if it is unreadable."""
    try:
        picture = decoded(path, most)
    except UNREADABLE:
        return None
    texture = context.texture(picture.size, components=4, data=picture.tobytes())
    texture.filter = context.LINEAR_MIPMAP_LINEAR, context.LINEAR
    texture.wrap_x = texture.wrap_y = context.CLAMP_TO_EDGE
    texture.build_mipmaps()
    return texture


def decoded(path: Path, most: int) -> Image.Image:
    """Return a picture as RGBA, rotated as its EXIF data says and scaled down to `most` pixels a side.

    Raises:
        OSError, ValueError, SyntaxError, DecompressionBombError: it is unreadable.
    """
    with open_picture(path) as file:
        file.draft("RGB", (most, most))  # scaled while it is decoded: JPEG only
        file.load()
        file.thumbnail((most, most))
        ImageOps.exif_transpose(file, in_place=True)
        picture: Image.Image = file
        return picture if picture.mode == "RGBA" else picture.convert("RGBA")
