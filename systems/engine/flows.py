"""What flows from system to system in a tick: what one writes or adds to, and another then reads or writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from components.store.handles import Component
from systems.engine.system import System


@dataclass(frozen=True)
class Flow:
    """What a system takes over from an earlier one of the same tick, by their declarations.

    Attributes:
        giver, taker: names of the systems. Nobody writes between them what flows; several may have added to it.
        what: names of components, of single fields and of resources.
        implied: other flows lead from the giver to the taker by way of further systems.
    """

    giver: str
    taker: str
    what: tuple[str, ...]
    implied: bool = False


def flows(systems: Sequence[System]) -> tuple[Flow, ...]:
    """Return the flows between systems, which stand in their resolved order; ordered by taker, then by giver."""
    givers: dict[str, list[str]] = {}  # of each field and resource: who wrote it last, and who added to it since
    found: dict[tuple[str, str], list[str]] = {}
    fields: dict[str, set[str]] = {}  # of each component that is touched as a whole or by field: those that are stored
    for system in systems:
        for taken in _parts(fields, (*system.reads, *system.writes)):
            for giver in givers.get(taken, ()):
                found.setdefault((giver, system.name), []).append(taken)
        givers |= {written: [system.name] for written in _parts(fields, system.writes)}
        for added in _parts(fields, system.adds):
            givers[added] = [*givers.get(added, ()), system.name]
    takers: dict[str, set[str]] = {}
    for giver, taker in found:
        takers.setdefault(giver, set()).add(taker)
    after: dict[str, set[str]] = {}  # all to whom something of each system comes in the end
    for system in reversed(systems):
        direct = takers.get(system.name, set())
        after[system.name] = direct.union(*(after[taker] for taker in direct))
    return tuple(
        Flow(giver, taker, _named(what, fields), any(taker in after[other] for other in takers[giver]))
        for (giver, taker), what in found.items()
    )


def _parts(fields: dict[str, set[str]], touched: Iterable[type | str]) -> dict[str, None]:
    """Return the fields and resources of a declaration, each once; note the fields of components."""
    found: dict[str, None] = {}
    for what in touched:
        if isinstance(what, type) and issubclass(what, Component):
            fields[what.__name__] = {field.key for field in what.fields.values() if not field.transient}
            found |= dict.fromkeys(field.key for field in what.fields.values())
        else:
            found[what if isinstance(what, str) else what.__name__] = None
    return found


def _named(keys: Iterable[str], fields: dict[str, set[str]]) -> tuple[str, ...]:
    """Return the names of fields and resources; in place of all fields of a component, that of the component."""
    given = dict.fromkeys(keys)
    whole = {name for name, own in fields.items() if own and own <= given.keys()}
    return tuple(dict.fromkeys(name if (name := key.partition(".")[0]) in whole else key for key in given))
