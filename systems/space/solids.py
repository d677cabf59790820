"""All that is solid in a world, for kernels: in a flat world the capsules, with depth also the balls.

What goes through the whole depth, pillars and walls, are capsules of the plane, and balls have an index in space. In
a flat world `solids` is a `CapsuleIndex`, in one with depth both indexes as one named tuple: the arguments of parallel
kernels can't hold tuples within tuples. The functions here take either, and places of two or three numbers with it.
An entry is the index of a solid in the arrays: balls are counted on from the last capsule.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from systems.engine.kernel import inlined
from systems.exact.items import part_of
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import in_plane, lifted, total
from systems.space.axis import axes_of, torus_in
from systems.space.capsule_index import DeepCapsuleIndex, ends_of
from systems.space.clearance import DeepClearance, clear_by
from systems.space.grid import DeepGrid
from systems.space.sweep import first_hit, nearest_capsule, outward

BALL = "ball_"
Solids = namedtuple(
    "Solids",
    "origin_x origin_y per_x per_y cells_x cells_y torus_x torus_y margin start which ax ay bx by radius "
    "ball_origin_x ball_origin_y ball_origin_z ball_per_x ball_per_y ball_per_z ball_cells_x ball_cells_y "
    "ball_cells_z ball_torus_x ball_torus_y ball_torus_z ball_margin ball_start ball_which ball_ax ball_ay "
    "ball_az ball_bx ball_by ball_bz ball_radius",
)
SolidClearance = namedtuple(
    "SolidClearance",
    "origin_x origin_y per_x per_y cells_x cells_y torus_x torus_y outside least ball_origin_x ball_origin_y "
    "ball_origin_z ball_per_x ball_per_y ball_per_z ball_cells_x ball_cells_y ball_cells_z ball_torus_x "
    "ball_torus_y ball_torus_z ball_outside ball_least",
)
SolidMiddles = namedtuple(
    "SolidMiddles",
    "origin_x origin_y per_x per_y cells_x cells_y torus_x torus_y stored_x stored_y start which x y "
    "ball_origin_x ball_origin_y ball_origin_z ball_per_x ball_per_y ball_per_z ball_cells_x ball_cells_y "
    "ball_cells_z ball_torus_x ball_torus_y ball_torus_z ball_stored_x ball_stored_y ball_stored_z ball_start "
    "ball_which ball_x ball_y ball_z",
)
"""What a flat world has, and then the same of the balls, under names that begin with BALL."""

balls_in, balls_clear, ball_middles = (part_of(BALL, kind) for kind in (DeepCapsuleIndex, DeepClearance, DeepGrid))


def joined(kind: Any, parts: Sequence[Any]) -> Any:
    """Return what a flat world has for its capsules, or that and what a world with depth has for its balls as one."""
    return parts[0] if len(parts) == 1 else kind(*parts[0], *parts[1])


@inlined
def clear_of_solids(clearance, here):
    """Return a lower bound for the distance from a place (float64) to the nearest solid, u; -infinity if unknown."""
    if len(here) == 2:
        return clear_by(clearance, here)
    return min(clear_by(clearance, in_plane(here)), clear_by(balls_clear(clearance), here))


@inlined
def first_solid(solids, start, along, more, regain):
    """Find the first solid that a moving point hits: see `first_hit`; its entry is one of solids."""
    if len(start) == 2:
        return first_hit(solids, start, along, more, regain)
    fraction, entry, shift = first_hit(solids, in_plane(start), in_plane(along), more, regain)
    sooner, ball, ball_shift = first_hit(balls_in(solids), start, along, more, regain)
    if sooner < fraction:
        return sooner, ball + len(solids.radius), ball_shift
    return fraction, entry, lifted(shift, start)


@inlined
def nearest_solid(solids, here):
    """Return the distance from a place to the nearest solid near it, its entry and the shift: see `nearest_capsule`."""
    if len(here) == 2:
        return nearest_capsule(solids, here)
    gap, entry, shift = nearest_capsule(solids, in_plane(here))
    nearer, ball, ball_shift = nearest_capsule(balls_in(solids), here)
    if nearer < gap:
        return nearer, ball + len(solids.radius), ball_shift
    return gap, entry, lifted(shift, here)


@inlined
def is_ball(solids, entry):
    """Return whether a solid is a ball."""
    return entry >= len(solids.radius)


@inlined
def away_from(solids, entry, here, along):
    """Return the unit vector away from a solid at a place and the distance to its middle (see `outward`), and its
    radius.
    """
    if len(here) == 2:
        return _away_from(solids, entry, here, along)
    if is_ball(solids, entry):
        return _away_from(balls_in(solids), entry - len(solids.radius), here, along)
    out, gap, radius = _away_from(solids, entry, in_plane(here), in_plane(along))
    return lifted(out, here), gap, radius


@inlined
def _away_from(capsules, k, here, along):
    a, b = ends_of(capsules, k)
    out, gap = outward(here, along, a, b)
    return out, gap, capsules.radius[k]


@inlined
def torus_of_solids(solids, like):
    """Return the size of the torus along each axis, u, a vector like another one; 0: not a torus."""
    return torus_in(solids) if len(like) == 2 else torus_in(balls_in(solids))


@inlined
def extent_of(solids, like):
    """Return the size of all cells along each axis, u, summed up."""
    if len(like) == 2:
        return total(_extent(axes_of(solids)))
    return total(_extent(axes_of(solids))) + total(_extent(axes_of(balls_in(solids))))


@on_each_axis
def _extent(axis):
    return axis.cells / axis.per_u if axis.cells > 0 else 0.0
