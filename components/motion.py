"""Components for position, velocity and the limits of motion."""

from components.store.declare import component, number, switch, vector


@component
class Position:
    """Where it is; previous is where it was a tick ago, for drawing in between."""

    x: float = number(0, "u", -1e6, 1e6, "distance from the left edge", inherits="keep")
    y: float = number(0, "u", -1e6, 1e6, "distance from the lower edge", inherits="keep")
    z: float = number(0, "u", -1e6, 1e6, "distance from the back", deep=True, inherits="keep")
    previous: tuple[float, float] = vector("u", "where it was before this tick", transient=True, starts=("x", "y", "z"))


@component
class Velocity:
    """How fast it moves, and where to: its heading is the direction of its velocity."""

    x: float = number(0, "u/s", -1e4, 1e4, "to the right", inherits="keep")
    y: float = number(0, "u/s", -1e4, 1e4, "upward", inherits="keep")
    z: float = number(0, "u/s", -1e4, 1e4, "toward the viewer", deep=True, inherits="keep")


@component
class Motion:
    """The limits of its movement."""

    min_speed: float = number(0, "u/s", 0, 1e4, "it never flies slower")
    max_speed: float = number(150, "u/s", 0, 1e4, "it never flies faster")
    drag: float = number(0, "1/s", 0, 60, "share of its velocity lost in a second")
    drag_after_clamp: bool = switch(False, "drag works after the speed is clamped, not before")
    max_acceleration: float = number(0, "u/s²", 0, 1e6, "the most its steering can do; 0: no limit")
    acceleration: tuple[float, float] = vector("u/s²", "the sum of what every steering system adds", transient=True)
