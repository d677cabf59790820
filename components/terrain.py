"""Obstacles and walls, and the components of entities that avoid them."""

from components.store.declare import component, integer, number, switch


@component
class Obstacle:
    """A circle around its Position that nothing can enter; in a world with depth a ball, or a pillar."""

    radius: float = number(20, "u", 0, 1e5, "of its circle or ball", above_low=True, inherits="keep")
    pillar: bool = switch(False, "with depth, a pillar along z: upright if z is up, else from front to back", deep=True)


@component
class Wall:
    """A straight wall that nothing can pass; walls of one group form a polyline or polygon."""

    ax: float = number(0, "u", -1e6, 1e6, "where it begins, from the left edge", inherits="keep")
    ay: float = number(0, "u", -1e6, 1e6, "where it begins, from the lower edge", inherits="keep")
    bx: float = number(0, "u", -1e6, 1e6, "where it ends, from the left edge", inherits="keep")
    by: float = number(0, "u", -1e6, 1e6, "where it ends, from the lower edge", inherits="keep")
    thickness: float = number(2, "u", 0.1, 1e4, "from side to side; its ends are round", inherits="keep")
    group: int = integer(0, "", 0, 2_000_000_000, "walls that were drawn together have the same group")


@component
class Avoidance:
    """Looks ahead, and turns to the clear side of obstacles and walls in its way."""

    strength: float = number(600, "u/s²", 0, 1e6, "how hard it turns")
    look_ahead: float = number(0.6, "s", 0, 60, "how far ahead it looks, in time at its speed")
    radius: float = number(0, "u", 0, 1e4, "how far ahead it looks; 0: as far as it gets in look_ahead")


@component
class Repulsion:
    """Steers away from the centres of obstacles around it, more strongly if they are near (as in Quelea)."""

    radius: float = number(50, "u", 0, 1e4, "how near an obstacle repels it")
    strength: float = number(60, "1/s", 0, 1e6, "how fast it takes on the velocity away from them")
    limit: float = number(0, "u/s²", 0, 1e6, "the most this can do; 0: no limit")
    angle: float = number(
        108, "degrees", 0, 180, "only from obstacles whose direction away is within this angle of its velocity"
    )
