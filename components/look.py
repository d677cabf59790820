"""The component that says how an entity is drawn."""

from components.store.declare import choice, colour, component, number

SHAPES = ("triangle", "bird", "fish", "person", "car", "ship", "dot", "hawk", "shark", "sheep", "wolf", "coral", "tree")


@component
class Look:
    """Its shape, colour and size."""

    shape: str = choice(*SHAPES, default="triangle", help="drawn along its heading")
    colour: int = colour("#e8d9a0", "what it is drawn in")
    size: float = number(5, "u", 0.1, 1e4, "half its length")
