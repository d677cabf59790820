"""The component that says how an entity is drawn, and the outlines of shapes that mods bring."""

from components.store.declare import OpenChoice, colour, component, number, open_choice

SHAPES = OpenChoice(
    *("triangle", "bird", "fish", "person", "car", "ship", "dot", "hawk", "shark", "sheep", "wolf", "coral", "tree")
)
OUTLINES: dict[str, tuple[tuple[float, float], ...]] = {}
"""The corners of each shape that a mod brought: heading along +x, from -1 to 1, half a length is 1."""


@component
class Look:
    """Its shape, colour and size."""

    shape: str = open_choice(SHAPES, default="triangle", help="drawn along its heading")
    colour: int = colour("#e8d9a0", "what it is drawn in")
    size: float = number(5, "u", 0.1, 1e4, "half its length")
