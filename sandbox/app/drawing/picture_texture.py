"""A picture file as a texture."""

from __future__ import annotations

from pathlib import Path

from arcade import ArcadeContext
from arcade.gl import Texture2D
from PIL import Image, ImageOps

UNREADABLE = OSError, ValueError, SyntaxError, Image.DecompressionBombError  # what Pillow raises of damaged files


def texture_of(context: ArcadeContext, path: Path, most: int) -> Texture2D | None:
    """The upright picture, made smaller where a side has more than so many pixels; None where it can't be read."""
    try:
        with Image.open(path) as file:
            file.draft("RGB", (most, most))
            picture = ImageOps.exif_transpose(file)
            picture.thumbnail((most, most))
            picture = picture.convert("RGBA")
    except UNREADABLE:
        return None
    texture = context.texture(picture.size, components=4, data=picture.tobytes())
    texture.filter = context.LINEAR_MIPMAP_LINEAR, context.LINEAR
    texture.wrap_x = texture.wrap_y = context.CLAMP_TO_EDGE
    texture.build_mipmaps()
    return texture
