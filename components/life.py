"""Components for food, energy, ageing, births and deaths."""

from components.store.declare import component, number, prefabs, quantity


@component
class Food:
    """Something to eat, at its Position; it shrinks while eaten and may grow again."""

    amount: int = quantity(100, 0, 1e6, "how much there is", inherits="half")
    capacity: int = quantity(100, 0, 1e6, "how much it can grow to")
    regrowth: float = number(0, "per s", 0, 1e6, "how much grows again")
    radius: float = number(6, "u", 0, 1e4, "animals within this distance eat it")
    bite: float = number(20, "per s", 0, 1e6, "the most that one animal eats of it")
    feeds: int = prefabs("the prefabs that eat it; empty: all with Energy but no Predator", having="Energy")


@component
class Energy:
    """The energy it burns, and gains by eating; without energy it dies."""

    level: int = quantity(100, 0, 1e6, "how much it has; at 0 it dies", inherits="half")
    capacity: int = quantity(200, 0, 1e6, "the most it can hold")
    rest_burn: float = number(1, "per s", 0, 1e6, "what it burns at rest")
    speed_burn: float = number(0, "per s", 0, 1e6, "what it burns on top at full speed, in proportion to its speed")
    hunger: int = quantity(60, 0, 1e6, "seeks food when its level is below this")
    seek: float = number(3, "1/s", 0, 1e6, "how hard it steers to food when hungry")


@component
class Life:
    """Grows old, and has young."""

    max_age: float = number(0, "s", 0, 1e9, "the age at which it dies; 0: it does not die of age")
    birth_level: int = quantity(0, 0, 1e6, "energy at which it has young and gives it half; 0: never")
    mutation: float = number(0, "share", 0, 1, "how much the young differ from it", inherits="keep")
    age: float = quantity(0, 0, 1e9, "how old it is", unit="s", inherits="zero")
