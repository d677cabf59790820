"""What a field's line in a panel says, worked out once from its declaration."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from components.store.by_type import by_type
from components.store.fields import Component, Field, Kind
from sandbox.app.fields.subjects import OWN_PLACE, is_number

GROUP = 3  # so many fields in a row that begin with the same word stand below that word
LONGEST_UNIT = 6  # characters that find room beside a number
WIDEST_SLIDER = 720.0  # from end to end; what goes farther is dragged
MOST_STEPS = 200  # a slider of whole numbers has
SHORT = {"degrees": "°"}


@dataclass(frozen=True, slots=True)
class Line:
    """A field, or a word above several of them.

    Attributes:
        caption: what it is called.
        unit: ready to stand behind a number in a format, or nothing.
        slides: a slider shows where in its range a number is; else it is dragged, the faster the larger it is.
        reference: a size that is usual for it.
        rough: it changes all the time: a decimal is enough.
        about: sentences for whoever wonders.
        late: it is set when the mouse lets go, not while it drags.
    """

    field: Field | None
    caption: str
    unit: str = ""
    slides: bool = False
    reference: float = 1.0
    rough: bool = False
    about: str = ""
    late: bool = False


def lines_of(component: type[Component], places: bool = True) -> tuple[Line, ...]:
    """The lines of a component; `places`: also of what each entity has for itself."""
    return _all_lines(component) if places else _shared_lines(component)


@by_type
def _all_lines(component: type[Component]) -> tuple[Line, ...]:
    return lines(field for field in component.fields.values() if not field.transient)


@by_type
def _shared_lines(component: type[Component]) -> tuple[Line, ...]:
    return lines(field for field in component.fields.values() if not field.transient and field.key not in OWN_PLACE)


def lines(fields: Iterable[Field]) -> tuple[Line, ...]:
    """The lines of some fields, in their order."""
    found: list[Line] = []
    for word, group in groupby(fields, lambda field: field.name.split("_")[0]):
        several = list(group)
        if len(several) >= GROUP:
            found.append(Line(None, word))
        found += [line(field, word if len(several) >= GROUP else "") for field in several]
    return tuple(found)


def line(field: Field, below: str = "") -> Line:
    """The line of one field; `below`: a word that stands above it and need not be said again."""
    caption = field.name.removeprefix(f"{below}_").replace("_", " ")
    span = field.high - field.low
    if field.kind is Kind.INTEGER:
        slides = span <= MOST_STEPS
    else:
        slides = (
            field.kind is Kind.NUMBER and span <= WIDEST_SLIDER and (span <= 1 or abs(_default(field)) >= span / 30)
        )
    usual = abs(_default(field)) or (min(span, 100.0) if math.isfinite(span) else 100.0)
    return Line(field, caption, _unit(field), slides, usual, field.key in OWN_PLACE, _about(field))


def _default(field: Field) -> float:
    return float(field.show(field.default)) if is_number(field) else 0.0


def _unit(field: Field) -> str:
    unit = SHORT.get(field.unit, f" {field.unit}" if field.unit else "")
    return unit.replace("%", "%%") if len(unit) <= LONGEST_UNIT + 1 and " share" not in unit else ""


def _about(field: Field) -> str:
    found = [field.help[:1].upper() + field.help[1:] + "."] if field.help else []
    if is_number(field) or field.kind is Kind.VECTOR:
        found.append(f"{field.bounds().removeprefix('must be ').capitalize()}.")
    if field.choices:
        found.append(f"One of {', '.join(field.choices)}.")
    return "\n".join(found)
