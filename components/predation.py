"""Components of predators and prey."""

from components.store.declare import choice, component, number, prefabs

NEAREST, CENTRE, WEAKEST = range(3)


@component
class Predator:
    """Chases, catches and eats."""

    hunts: int = prefabs("the prefabs it hunts; empty: all with Prey", having="Prey")
    target: str = choice(
        "nearest",
        "centre",
        "weakest",
        default="nearest",
        help="which prey it pursues: the nearest, the centre of all it sees, or the one with the least energy",
    )
    strength: float = number(6, "1/s (nearest, weakest) or 1/s² (centre)", 0, 1e6, "how hard it pursues")
    catch_radius: float = number(8, "u", 0, 1e4, "the distance within which it catches prey", was="reach")
    digest: float = number(1, "s", 0, 1e4, "how long it rests after a catch")
    rest: float = number(0, "s", 0, 1e4, "how long it still rests", inherits="zero")


@component
class Prey:
    """Flees from predators that hunt it."""

    fear: float = number(600, "u/s²", 0, 1e6, "how hard it flees from a predator that is very near")
    fear_radius: float = number(80, "u", 0, 1e4, "how far away predators frighten it")
