"""Values that flocking precomputes from Perception and Flocker: squares, scales, and which rules have an effect."""

from __future__ import annotations

import numpy as np

from components.flock import CONSTANT, DESIRED, DISTANCE, EVERYONE, INVERSE, METRIC, SMOOTH
from systems.engine.kernel import inlined
from systems.exact.angles import cosine
from systems.exact.fixed_point import scale_for
from systems.exact.vector import HALF, ZERO
from systems.space.perception import ALL_ROUND

f32, i32 = np.float32, np.int32
NEARLY_ONE = f32(0.9999)  # passed to scale_for for unit terms: leaves room for rounding up BLOCK of them

NUMBERS = (
    "widest", "cone",  # the largest radius of a rule with an effect, u; see FieldOfView
    "alignment_square", "cohesion_square", "separation_square",  # of radii, u²; 0 for rules without effect
    "cohesion_scale", "push_scale", "per_unit", "per_offset",  # see Weights
    "separation_strength", "separation_limit", "alignment_strength", "alignment_limit", "cohesion_strength",
    "cohesion_limit",
)  # fmt: skip
RULES = np.dtype([(name, f32) for name in NUMBERS] + [("flags", i32)])
GENERAL, MIXES, MEAN, LIMITED, ATTENDS_TO_EVERYONE = (1 << n for n in range(5))
SEPARATION_DESIRES, ALIGNMENT_DESIRES, COHESION_DESIRES = (1 << n for n in range(5, 8))
"""Bits of `flags`. GENERAL: `rule_sums.sum_generally` is needed. LIMITED: a rule has a limit, or a desired velocity."""


@inlined
def prepare(sees, flocker, rules):
    """Fill an element of dtype RULES from a boid's Perception and Flocker."""
    separates, aligns = flocker.separation_strength > ZERO, flocker.alignment_strength > ZERO
    coheres, falloff = flocker.cohesion_strength > ZERO, flocker.separation_falloff
    everyone = sees.reach == EVERYONE
    r_s = rule_radius(flocker.separation_radius, sees.radius) if separates else ZERO
    r_a = rule_radius(flocker.alignment_radius, sees.radius) if aligns and not everyone else ZERO
    r_c = rule_radius(flocker.cohesion_radius, sees.radius) if coheres and not everyone else ZERO
    rules.widest = max(r_s, max(r_a, r_c))
    rules.cone = ALL_ROUND
    if sees.fov < f32(360):
        c = cosine(HALF * sees.fov)
        rules.cone = c * abs(c)
    rules.separation_square = r_s * r_s
    rules.alignment_square = r_a * r_a
    rules.cohesion_square = r_c * r_c
    rules.separation_strength, rules.separation_limit = max(flocker.separation_strength, ZERO), flocker.separation_limit
    rules.alignment_strength, rules.alignment_limit = max(flocker.alignment_strength, ZERO), flocker.alignment_limit
    rules.cohesion_strength, rules.cohesion_limit = max(flocker.cohesion_strength, ZERO), flocker.cohesion_limit
    scale = scale_for(steepest(falloff, r_s))
    rules.cohesion_scale, rules.push_scale = scale_for(r_c), scale
    rules.per_unit = ZERO if falloff == DISTANCE else scale
    rules.per_offset = (
        scale if falloff == DISTANCE else ZERO if falloff == CONSTANT else -scale / r_s if separates else ZERO
    )
    flags = 0
    mixes = flocker.separation_mixes if separates else flocker.alignment_mixes if aligns else flocker.cohesion_mixes
    alike = (flocker.alignment_mixes == mixes or not aligns) and (flocker.cohesion_mixes == mixes or not coheres)
    if sees.reach != METRIC or falloff in (INVERSE, SMOOTH) or not alike:
        flags |= GENERAL
    if everyone:
        flags |= ATTENDS_TO_EVERYONE
    if mixes:
        flags |= MIXES
    if flocker.separation_mean:
        flags |= MEAN
    if flocker.separation_steer == DESIRED:
        flags |= SEPARATION_DESIRES | LIMITED
    if flocker.alignment_steer == DESIRED:
        flags |= ALIGNMENT_DESIRES | LIMITED
    if flocker.cohesion_steer == DESIRED:
        flags |= COHESION_DESIRES | LIMITED
    if flocker.separation_limit > ZERO or flocker.alignment_limit > ZERO or flocker.cohesion_limit > ZERO:
        flags |= LIMITED
    rules.flags = flags


@inlined
def rule_radius(rule, perception):
    """Return the radius of a rule: its own radius, at most Perception's; 0 means Perception's."""
    return min(rule, perception) if rule > ZERO else perception


@inlined
def steepest(falloff, radius):
    """Return the largest factor of a unit vector in separation's sum, float32; NEARLY_ONE instead of 1."""
    return radius if falloff == DISTANCE else f32(1000) / radius if falloff == INVERSE else NEARLY_ONE
