"""The component of wind zones."""

from components.store.declare import choice, component, number

UNIFORM, VORTEX, SOURCE, GUST = range(4)
Z, Y, X = range(3)


@component
class Wind:
    """A circle around its Position, with depth a ball, in which moving air carries entities along."""

    kind: str = choice(
        "uniform", "vortex", "source", "gust", default="uniform", help="blows one way, round, outward, or in gusts"
    )
    radius: float = number(150, "u", 0, 1e6, "of the zone", above_low=True)
    direction: float = number(0, "degrees", -360, 360, "where uniform wind and gusts blow to, from the x axis")
    tilt: float = number(0, "degrees", -90, 90, "how far that is out of the plane, toward the viewer", deep=True)
    axis: str = choice("z", "y", "x", default="z", help="what a vortex turns about", deep=True)
    strength: float = number(60, "u/s", -1e4, 1e4, "speed of the air; below 0 it blows the other way")
    coupling: float = number(1, "1/s", 0, 60, "how fast entities take on the velocity of the air")
    softness: float = number(0.3, "share of the radius", 0, 1, "how wide the edge is over which the wind dies away")
    turbulence: float = number(0, "share of the strength", 0, 1, "eddies that drift and change")
