"""Checks a mod's parts for the window against their contracts (`sandbox.window_part`) when the mod is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from components.store.declare import IN_LISTS
from components.store.fields import Kind
from components.store.resources import Resource
from components.store.words import did_you_mean
from sandbox.design.prefabs import installed_names
from sandbox.window_part import NAME, MeasureChart, Right, WindowPart
from systems.engine.app import App
from systems.engine.system import Phase

CHOOSABLE_KINDS = *IN_LISTS, Kind.LIST  # of preferences
CHOOSABLE: Right = (
    lambda value: all(field.kind in CHOOSABLE_KINDS for field in value.values()),
    "declared with number, integer, switch, choice, colour, text or several",
)


def refuse_wrong_parts(own: App) -> None:
    """Check that the window parts in `own` are complete, and that no two of a kind have the same name.

    Raises:
        TypeError, ValueError: a part has the wrong type, lacks an attribute, or has the name of another; the message
            says what would be right.
    """
    for kind, base, parts in (
        ("panel", "Panel", own.panels),
        ("tool", "Tool", own.tools),
        ("overlay", "Overlay", own.overlays),
        ("action", "Action", own.actions),
        ("file_kind", "FileKind", own.file_kinds),
    ):
        for each in parts:
            _refuse_stranger(kind, each, isinstance(each, WindowPart) and each.contract.kind == kind, base)
            _refuse_attributes(kind, each, each.contract.attributes)
        _refuse_namesakes(kind, [each.name for each in parts])
    for each in own.preferences:
        _refuse_stranger("preferences", each, isinstance(each, Resource), Resource.__name__)
        _refuse_attributes("preferences", each, {"fields": CHOOSABLE})
    _refuse_namesakes("preferences", [type(each) for each in own.preferences])
    for each in own.charts:
        _refuse_stranger("chart", each, isinstance(each, MeasureChart), MeasureChart.__name__)
        _refuse_attributes("chart", each, {"title": NAME})
    _refuse_namesakes("chart", [each.title for each in own.charts])


def refuse_unknown_names(own: App, app: App) -> None:
    """Check that the window parts in `own` name only systems, prefabs, components and fields in `app`.

    Raises:
        ValueError: there is no such thing; the message suggests the nearest name.
    """
    known = {
        "system": [system.name for system in app.systems],
        "component": [component.__name__ for component in app.components],
        "field": [field.key for component in app.components for field in component.fields.values()],
        "prefab": [*installed_names(app)],
    }
    if own.scenes:
        del known["prefab"]  # a scene may define it
    measuring = [system.name for system in app.systems if system.phase is Phase.MEASURE]
    for kind, parts in (("panel", own.panels), ("tool", own.tools), ("overlay", own.overlays)):
        for each in parts:
            for what, name in each.refers_to():
                _refuse_unknown(f"the {kind} {each.title}", what, name, known.get(what, [name]))
    for chart in own.charts:
        _refuse_unknown(f"the chart {chart.title}", "measuring system", chart.system, measuring)


def _refuse_unknown(who: str, what: str, name: Any, known: Sequence[str]) -> None:
    if name not in known:
        raise ValueError(f"{who} names {name!r:.60}: there is no such {what}{did_you_mean(str(name), known)}")


def _refuse_stranger(kind: str, part: Any, is_one: bool, base: str) -> None:
    if isinstance(part, type):
        raise TypeError(f"add_{kind} got the class {part.__name__}: make one of it: add_{kind}({part.__name__}())")
    if not is_one:
        article = "an" if base[0] in "AEIOU" else "a"
        raise TypeError(f"add_{kind} got the {type(part).__name__} {part!r:.60}: it takes {article} {base}")


def _refuse_namesakes(kind: str, names: Sequence[Any]) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise ValueError(f"another {kind} is already called {name!r}: rename one")


def _refuse_attributes(kind: str, part: Any, wanted: Mapping[str, Right]) -> None:
    named = f"{kind} {type(part).__name__}"
    for name, (is_right, words) in wanted.items():
        try:
            value = getattr(part, name)
        except AttributeError:
            raise ValueError(f"the {named} has no {name}: it must be {words}") from None
        except Exception as error:  # a property
            raise ValueError(f"reading {name} of the {named} failed: {type(error).__name__}: {error}") from error
        if not is_right(value):
            raise ValueError(f"the {named} has {name} = {value!r:.60}: must be {words}")
