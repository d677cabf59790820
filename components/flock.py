"""Perception, and the three flocking rules: separation, alignment and cohesion (Reynolds 1987)."""

from components.store.declare import choice, component, integer, number, switch

METRIC, TOPOLOGICAL, EVERYONE = range(3)
CONSTANT, LINEAR, INVERSE, DISTANCE, SMOOTH = range(5)
DIRECT, DESIRED = range(2)
MOST_NEIGHBOURS = 64


@component
class Perception:
    """What it perceives: how far, at which angle, and how many neighbours."""

    radius: float = number(50, "u", 0, 1e4, "how far it sees")
    fov: float = number(300, "degrees", 0, 360, "field of view, centred on its heading; 360 sees all round")
    reach: str = choice(
        "metric",
        "topological",
        "everyone",
        default="metric",
        help="all within the radius, only the nearest of them, or the whole flock",
    )
    neighbours: int = integer(7, "", 1, MOST_NEIGHBOURS, "how many it attends to when its reach is topological")


@component
class Flocker:
    """Separation, alignment and cohesion: each with a radius, a strength, a limit and a way to steer."""

    separation_radius: float = number(
        25, "u", 0, 1e4, "keeps apart from those nearer than this; 0: Perception's radius"
    )
    separation_strength: float = number(600, "u/s² (direct) or 1/s (desired)", 0, 1e6, "how hard it keeps apart")
    separation_limit: float = number(0, "u/s²", 0, 1e6, "the most separation can do; 0: no limit")
    separation_steer: str = choice(
        "direct", "desired", default="direct", help="push by the sum, or steer to full speed along it"
    )
    separation_mixes: bool = switch(False, "keeps apart from other prefabs too")
    separation_falloff: str = choice(
        "constant",
        "linear",
        "inverse",
        "distance",
        "smooth",
        default="linear",
        help="how the push depends on distance",
    )
    separation_mean: bool = switch(False, "the mean over the neighbours instead of the sum")
    alignment_radius: float = number(0, "u", 0, 1e4, "aligns with those nearer than this; 0: Perception's radius")
    alignment_strength: float = number(3, "1/s", 0, 1e6, "how fast it takes on the others' velocity")
    alignment_limit: float = number(0, "u/s²", 0, 1e6, "the most alignment can do; 0: no limit")
    alignment_steer: str = choice(
        "direct", "desired", default="direct", help="match the mean velocity, or its direction at full speed"
    )
    alignment_mixes: bool = switch(False, "aligns with other prefabs too")
    cohesion_radius: float = number(0, "u", 0, 1e4, "gathers with those nearer than this; 0: Perception's radius")
    cohesion_strength: float = number(0.768, "1/s² (direct) or 1/s (desired)", 0, 1e6, "how hard it seeks their centre")
    cohesion_limit: float = number(0, "u/s²", 0, 1e6, "the most cohesion can do; 0: no limit")
    cohesion_steer: str = choice(
        "direct", "desired", default="direct", help="pull by the offset, or steer to full speed along it"
    )
    cohesion_mixes: bool = switch(False, "gathers with other prefabs too")
