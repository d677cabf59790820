"""Components that give entities a direction: Leader, Goal and Wander."""

from components.store.declare import component, number, prefabs


@component
class Leader:
    """Its flock takes on its velocity, at any distance."""

    pull: float = number(0.6, "1/s", 0, 1e4, "how fast they take on its velocity")


@component
class Goal:
    """Attracts entities to its Position."""

    strength: float = number(60, "u/s²", 0, 1e6, "how hard it attracts")
    radius: float = number(300, "u", 0, 1e6, "how far away it still attracts", above_low=True)
    calls: int = prefabs("the prefabs it attracts; empty: all with a Flocker", having="Flocker")


@component
class Wander:
    """Turns to both sides at random, with depth in any direction."""

    strength: float = number(40, "u/s²", 0, 1e6, "how hard it turns")
    rate: float = number(1, "1/s", 0, 60, "how often its turn changes")
