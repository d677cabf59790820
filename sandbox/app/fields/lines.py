"""The lines of fields in panels, with caption, unit and tooltip; computed once from the declarations."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from components.store.fields import DEEP, FLAT, Field, Kind
from components.store.handles import Component
from components.store.records import by_type
from sandbox.app.fields.binding import OWN, is_number, settable_fields, shared_fields
from sandbox.language import capitalised

GROUP = 3  # from this many consecutive fields with the same first word on, that word becomes a heading
LONGEST_UNIT = 6  # characters that fit beside a number
WIDEST_SLIDER = 720.0  # the largest range of a slider; numbers with a larger one are dragged
MOST_STEPS = 200  # the largest range of a slider of whole numbers
SHORT = {"degrees": "°"}
SPELT_OUT = {"fov": "field of view"}


@dataclass(frozen=True, slots=True)
class Line:
    """How a field is drawn in a panel.

    Attributes:
        caption: its name in the panel.
        unit: the suffix of its number, escaped for a format; "" if it has none.
        slides: it is a slider; else it is dragged, the larger the number the faster.
        reference: a usual size of the number.
        rough: it changes all the time, so that one decimal is enough.
        about: the sentences of its tooltip.
        late: it is set when the mouse button is released, not while dragging.
        in_scenes: its owner and its choices are words of scene files: the tooltip names the owner, and choices are not
            translated.
    """

    field: Field
    caption: str
    unit: str = ""
    slides: bool = False
    reference: float = 1.0
    rough: bool = False
    about: str = ""
    late: bool = False
    in_scenes: bool = True


FIRST = {
    "Flocker": ("separation_strength", "alignment_strength", "cohesion_strength", "separation_radius"),
    "Perception": ("radius", "fov"),
    "Motion": ("max_speed", "min_speed"),
    "Predator": ("hunts", "strength", "catch_radius"),
    "Prey": ("fear", "fear_radius"),
    "Look": ("shape", "colour", "size"),
    "Wind": ("kind", "strength", "direction", "tilt", "axis", "radius"),
    "Food": ("amount", "regrowth", "radius"),
    "Energy": ("level", "capacity"),
    "Life": ("age", "max_age"),
}
"""The components that are listed first, in this order, and their fields that are shown above More."""
LAST = "Position", "Velocity", "Wall"  # listed last, because people move things with the mouse instead


Lines = tuple[Line | str, ...]  # in order; a string is a heading above the lines that begin with it
FirstAndMore = tuple[Lines, Lines]  # the lines shown at first, and those under More


def lines_of(component: type[Component], axes: str, own: bool = True) -> FirstAndMore:
    """Return the lines of a component in worlds with these axes; `own`: include what each entity has for itself.

    A component that is not in FIRST, such as a mod's, has nothing under More.
    """
    return _lines_of(component)[axes][own]


@by_type
def _lines_of(component: type[Component]) -> dict[str, list[FirstAndMore]]:
    by_whom = shared_fields, settable_fields
    return {axes: [_first_and_more(component, fields(component, axes)) for fields in by_whom] for axes in (FLAT, DEEP)}


def _first_and_more(component: type[Component], fields: list[Field]) -> FirstAndMore:
    by_name = {field.name: field for field in fields}
    first = [by_name[name] for name in FIRST.get(component.__name__, by_name) if name in by_name]
    rest = [field for field in fields if field not in first]
    if len(rest) == 1:  # one line takes no more room than "More"
        first, rest = fields, []
    return lines(first), lines(rest)


def in_play_order(components: Iterable[str]) -> list[str]:
    """Sort names of components: those in FIRST first, those in LAST last, the others between in their order."""
    order = {name: index for index, name in enumerate((*FIRST, "", *LAST))}
    return sorted(components, key=lambda name: order.get(name, order[""]))


def lines(fields: Iterable[Field]) -> Lines:
    """Return the lines of some fields in their order, with headings."""
    found: list[Line | str] = []
    for word, group in groupby(fields, lambda field: field.name.split("_")[0]):
        several = list(group)
        if len(several) >= GROUP:
            found.append(word)
        found += [line(field, word if len(several) >= GROUP else "") for field in several]
    return tuple(found)


def line(field: Field, below: str = "") -> Line:
    """Return the line of a field; `below`: the heading above it, which its caption does not repeat."""
    caption = SPELT_OUT.get(field.name, field.name.removeprefix(f"{below}_").replace("_", " "))
    span = field.high - field.low
    if field.kind is Kind.INTEGER:
        slides = span <= MOST_STEPS
    else:
        slides = (
            field.kind is Kind.NUMBER and span <= WIDEST_SLIDER and (span <= 1 or abs(_default(field)) >= span / 30)
        )
    usual = abs(_default(field)) or (min(span, 100.0) if math.isfinite(span) else 100.0)
    return Line(field, caption, _unit(field), slides, usual, field.key in OWN, _about(field))


def _default(field: Field) -> float:
    return float(field.show(field.default)) if is_number(field) else 0.0


def _unit(field: Field) -> str:
    unit = SHORT.get(field.unit, f" {field.unit}" if field.unit else "")
    return unit.replace("%", "%%") if len(unit) <= LONGEST_UNIT + 1 and " share" not in unit else ""


def _about(field: Field) -> str:
    found = [f"{capitalised(field.help)}."] if field.help else []
    if is_number(field) or field.kind is Kind.VECTOR:
        found.append(f"{capitalised(field.bounds().removeprefix('must be '))}.")
    if field.choices:
        found.append(f"One of {', '.join(field.choices)}.")
    return "\n".join(found)
