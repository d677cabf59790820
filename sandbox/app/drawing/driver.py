"""What draws: a graphics card, or the processor, for which costly parts of shaders are left out."""

from __future__ import annotations

from arcade import ArcadeContext

SOFTWARE = ("llvmpipe", "softpipe", "swiftshader", "software rasterizer", "basic render", "apple software")


def draws_in_software(context: ArcadeContext) -> bool:
    """Return whether the processor draws, to judge by the name of the renderer."""
    name = context.info.RENDERER.lower()
    return any(known in name for known in SOFTWARE)
