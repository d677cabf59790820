"""How a world is drawn in a browser: by the shaders of the window, in the dialect of WebGL 2, and their values.

All of this is text and numbers from the modules that draw the window: what changes there changes here. What glows in
the window by night is drawn here as on a computer without a graphics card. A browser chooses between shaders that are
`rich`, and those for computers without a graphics card, `plain`, as the window does.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.words import ROOM
from sandbox.app.drawing import animal_shaders, animals, look_shapes, own_pictures, view_block
from sandbox.app.drawing.any_camera import PITCHES
from sandbox.app.drawing.backdrops import NUMBERS, BackdropValues, Kind
from sandbox.app.drawing.driver import SOFTWARE
from sandbox.app.drawing.rendered import Rendered
from sandbox.app.drawing.scenery_shaders import SORTS
from sandbox.app.drawing.scenery_shaders import shaders_of as shaders_of_things
from sandbox.app.drawing.shaders import SCREEN_VERTEX
from sandbox.app.drawing.sky import DARKER, MOST_STARS
from sandbox.app.drawing.sky_shaders import shaders_of as shaders_of_sky
from sandbox.app.drawing.sky_shaders import stars_of
from sandbox.app.drawing.space import animal_shaders as deep_shaders
from sandbox.app.drawing.space import animals as deep_animals
from sandbox.app.drawing.space import drawing, edges, meshes, solid_shaders, solids, view, wind
from sandbox.app.drawing.space.dome_shaders import shaders_of as shaders_of_dome
from sandbox.render.solids import AURA, SLAB

MESHES = {"rich": (160, 90), "plain": (80, 45)}  # squares across and up, for whose corners a sky is computed
DIALECT = "#version 300 es\n" + "".join(f"precision highp {kind};\n" for kind in ("float", "int", "usampler2D"))

Shader = tuple[str, str]
Floats = NDArray[np.float32]


def how_it_is_drawn(rendered: Rendered, kinds: Collection[int]) -> dict[str, Any]:
    """Return all of a world that stays the same while it plays, as JSON.

    Args:
        kinds: the numbers of the kinds of scenery that occur.
    """
    backdrop, is_deep = rendered.backdrop, len(rendered.size) > 2
    shaders_of = _deep if is_deep else _flat
    sides = {side: shaders_of(backdrop.kind, side, kinds) for side in MESHES}
    both = {name: shader for name, shader in sides["plain"].items() if sides["rich"].get(name) == shader}
    own = {side: {name: one for name, one in made.items() if name not in both} for side, made in sides.items()}
    own["both"] = both
    shaders = {side: {name: _in_dialect(*one) for name, one in made.items()} for side, made in own.items()}
    return {
        "size": rendered.size,
        "torus": bool(rendered.torus[0]),
        "rate": rendered.tick_rate,
        "shaders": shaders,
        "software": SOFTWARE,
        "meshes": MESHES,
        "period": animal_shaders.PERIOD,
        "backdrop": _backdrop(backdrop, rendered.bounces),
        **(_deep_values(rendered) if is_deep else _flat_values(backdrop)),
    }


def shapes_of(numbers: Collection[int], is_deep: bool) -> tuple[Floats, list[list[int]]]:
    """Return what shapes of `Look` look like, for their numbers in this order, and how many corners each has.

    The first is float32 (levels, shapes, corners, 4): in a world with depth there is one level, and two of the corners
    of the texture belong to one of the shape.
    """
    chosen = list(numbers)
    if is_deep:
        table = meshes.table().reshape(1, ROOM, -1, 4)
        return table[:, chosen], meshes.vertices()[None, chosen].tolist()
    table = look_shapes.table().reshape(look_shapes.LEVELS, ROOM, -1, 4)
    return table[:, chosen], look_shapes.vertices()[:, chosen].tolist()


def solid_corners() -> bytes:
    """Return the corners of all kinds of solid, float32 (kinds, most, 4)."""
    return solids.table(solids.corners_by_kind()).tobytes()


def _flat(kind: Kind, side: str, kinds: Collection[int]) -> dict[str, Shader]:
    rich = side == "rich"
    far = ("FAR", "SOFT") if rich else ("FAR",)
    variants = {"far": far, "shadow": ("SHADOW",), "coarse": (), "detailed": ("ALIVE",)}
    found = {name: animal_shaders.variant(*words, "TINTED") for name, words in variants.items()}
    found |= {"sky": shaders_of_sky(kind, rich, MESHES[side]), "picture": (SCREEN_VERTEX, own_pictures.FRAGMENT)}
    found["stars"] = stars_of(kind)
    for sort, own in SORTS.items():
        if set(own) & set(kinds):
            found[sort] = shaders_of_things(sort, kind, rich)
    return {name: (_with(view_block.VIEW, vertex), fragment) for name, (vertex, fragment) in found.items()}


def _deep(kind: Kind, side: str, kinds: Collection[int]) -> dict[str, Shader]:
    found = {
        "mesh": deep_shaders.variant("mesh"),
        "shadow": deep_shaders.variant("mesh", "SHADOW"),
        "spot": deep_shaders.variant("spot"),
        "solid": solid_shaders.variant(clear=False),
        "clear": solid_shaders.variant(clear=True),
        "dome": shaders_of_dome(kind, side == "rich"),
        "edges": (edges.EDGES_VERTEX, edges.EDGES_FRAGMENT),
    }
    if set(wind.KINDS) & set(kinds):
        found["wind"] = wind.shaders()
    return {name: (_with(view.VIEW, vertex), _with(view.VIEW, text)) for name, (vertex, text) in found.items()}


def _with(block: str, shader: str) -> str:
    return shader.replace(view_block.VERSION, view_block.VERSION + block, 1)


def _in_dialect(*shaders: str) -> list[str]:
    return [text.strip().replace(view_block.VERSION, DIALECT, 1) for text in shaders]


def _backdrop(backdrop: BackdropValues, bounces: bool) -> dict[str, Any]:
    values = {name: getattr(backdrop, name) for name in ("glow_colour", "glow_at", "light", "shade", *NUMBERS)}
    return values | {
        "kind": backdrop.kind.name,
        "colours": [part for colour in backdrop.colours for part in colour],
        "detail": values.pop("texture"),
        "ends": DARKER if bounces else 0.0,
        "points": round(backdrop.stars * MOST_STARS),
        "light_turn": math.atan2(backdrop.light[1], backdrop.light[0]) / math.tau,
    }


def _flat_values(backdrop: BackdropValues) -> dict[str, Any]:
    names = ("SMALLEST", "LEAST", "OF_SPACE", "PLENTY", "DETAIL")
    return {"sizes": {name: getattr(animals, name) for name in names}, "sorts": {k: [*v] for k, v in SORTS.items()}}


def _deep_values(rendered: Rendered) -> dict[str, Any]:
    kind, up = rendered.backdrop.kind.name, rendered.up
    return {
        "up": up,
        "above": view.ABOVE[up],
        "pitch": math.radians(PITCHES[kind]),
        "sizes": {name: getattr(deep_animals, name) for name in ("SMALLEST", "DETAIL")},
        "air": drawing.air_of(rendered.backdrop, rendered.size, up),
        "light": [drawing.RISEN, drawing.BEHIND],
        "shade": 0.0 if kind == "space" else drawing.SHADE,
        "edge": drawing.EDGE,
        "edges": edges.edges_of(rendered.size).ravel().tolist(),
        "solids": {kind: len(corners) for kind, corners in solids.corners_by_kind().items()},
        "clear": AURA,
        "wind": {"kinds": wind.KINDS, "corners": wind.CORNERS},
        "slab": SLAB,
    }
