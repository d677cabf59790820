"""The checks of a lesson's steps: of each kind, how a file says it, when it is fulfilled, and how a person reads it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from components.store.words import did_you_mean, plain
from sandbox.condition import Condition
from sandbox.design.presets import QUANTITIES
from sandbox.edit import Command, CommandQueue, Spawn
from sandbox.edit.value_now import value_now, values_set
from sandbox.extras.lessons.lesson import ANYONE, Check
from sandbox.language import translate
from sandbox.record import measured
from sandbox.simulation import Simulation
from systems.engine.measures import POPULATION
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from sandbox.api import Session

OFTEN = 0.5  # s between two evaluations of a measure: some are expensive


class Watcher:
    """Watches from its creation on whether a check is fulfilled; `value`: the measure when it was last evaluated."""

    def __init__(self, check: Check, session: Session) -> None:
        self.check, self.value = check, math.nan
        self.acted = session.acted[check.name]
        self.before = value_now(session.simulation.world, check.name) if check.kind in ("raised", "lowered") else 0.0
        self._measured_at = 0.0
        self._queue = session.simulation.world.resource(CommandQueue).count
        self._tick = session.simulation.tick

    def holds(self, session: Session) -> bool:
        """Return whether the check is fulfilled."""
        return KINDS[self.check.kind].holds(self, session)

    def words(self, session: Session) -> str:
        """Return the task in a few words: "Pause / resume (Space)"."""
        return KINDS[self.check.kind].words(self, session)

    def seconds(self, session: Session) -> float:
        """Return the simulated seconds that have passed; going back in time does not count."""
        simulation = session.simulation
        self._tick = min(self._tick, simulation.tick)
        return (simulation.tick - self._tick) / simulation.world.resource(Settings).tick_rate

    def measure(self, session: Session) -> Mapping[str, float]:
        """Return the measure, evaluated now and then."""
        name = self.check.name
        if (now := time.monotonic()) - self._measured_at >= OFTEN:
            self._measured_at = now
            try:
                self.value = measured(session.simulation, [name])[0][name]
            except ValueError:  # another world is shown that lacks the measure
                self.value = math.nan
        return {name: self.value}

    def commands(self, session: Session) -> list[Command]:
        """Return the commands that were carried out since the last call."""
        queue = session.simulation.world.resource(CommandQueue)
        new = [done.command for done in queue.since(min(self._queue, queue.count))]
        self._queue = queue.count
        return new


def _is_selected(watcher: Watcher, session: Session) -> bool:
    world, name = session.simulation.world, watcher.check.name
    rows = world.table.living(session.selection.array)
    names = tuple(world.prefabs)
    return bool(len(rows)) if name == ANYONE else name in {names[n] for n in world.table.prefab[rows].tolist()}


def _is_set(is_right: Callable[[Watcher, float], bool]) -> Callable[[Watcher, Session], bool]:
    """Return the check whether a command set the named value to one that is right."""

    def holds(watcher: Watcher, session: Session) -> bool:
        world, name = session.simulation.world, watcher.check.name
        try:
            set_now = [value for command in watcher.commands(session) for value in values_set(world, command, name)]
        except ValueError:  # another world is shown that lacks the value
            return False
        return any(is_right(watcher, value) for value in set_now)

    return holds


def _is_changed(watcher: Watcher, value: float) -> bool:
    condition = watcher.check.condition
    return condition is None or condition.holds({watcher.check.name: value})


# ---- words


def measure_words(name: str) -> str:
    """Return the name of a measure as people read it: "fish" for "population.fish"."""
    return translate(name.removeprefix(POPULATION).replace("_", " "))


def condition_words(condition: Condition) -> str:
    """Return a condition as people read it: "fish < 50"."""
    return f"{measure_words(condition.name)} {condition.sign} {condition.number:g}"


def _action_words(watcher: Watcher, session: Session) -> str:
    return session.with_key(session.actions[watcher.check.name].title, watcher.check.name)


def _selected_words(watcher: Watcher, session: Session) -> str:
    if watcher.check.name == ANYONE:
        return translate("Select somebody")
    return translate("Select a {name}", name=watcher.check.name.replace("_", " "))


def _seconds_words(watcher: Watcher, session: Session) -> str:
    return translate("{left} s to go", left=math.ceil(max(watcher.check.seconds - watcher.seconds(session), 0)))


def _measure_words(watcher: Watcher, session: Session) -> str:
    value = "" if math.isnan(watcher.value) else translate(", now {value}", value=plain(round(watcher.value, 2)))
    return f"{condition_words(_condition(watcher.check))}{value}"


def _value_words(verb: str) -> Callable[[Watcher, Session], str]:
    """Return the words of a task about a value; `verb`: with the place of the value's name."""

    def words_of(watcher: Watcher, session: Session) -> str:
        name, condition = watcher.check.name, watcher.check.condition
        parts = " ".join(part for part in name.split(".") if not part[:1].isupper()).replace("_", " ")
        words = translate(parts)
        if condition is None:
            return translate(verb, words=words)
        if name in session.simulation.pipeline.by_name:
            is_on = condition.holds({name: 1.0})
            return translate("Enable {words}" if is_on else "Disable {words}", words=words)
        number = f"{condition.number:{'.0%' if name in QUANTITIES else 'g'}}"
        return f"{words} {condition.sign.replace('==', '=')} {number}"

    return words_of


def _condition(check: Check) -> Condition:
    assert check.condition is not None
    return check.condition


# ---- reading


def _plain(kind: str, given: Any, simulation: Simulation) -> Check:
    return Check(kind, given)


def _seconds(kind: str, given: Any, simulation: Simulation) -> Check:
    return Check(kind, seconds=given)


def _measure(kind: str, given: Any, simulation: Simulation) -> Check:
    condition = Condition.read(given)
    measured(simulation, [condition.name])
    return Check(kind, condition.name, condition)


def _value(kind: str, given: Any, simulation: Simulation) -> Check:
    condition = Condition.read(given) if kind == "changed" and Condition.looks_like(given) else None
    name = given if condition is None else condition.name
    value_now(simulation.world, name)
    return Check(kind, name, condition)


def _prefab(*others: str) -> Callable[[str, Any, Simulation], Check]:
    """Return how a prefab, or another word, is read."""

    def read(kind: str, given: Any, simulation: Simulation) -> Check:
        known: Iterable[str] = (*simulation.world.prefabs, *others)
        if given not in known:
            raise ValueError(f"unknown prefab{did_you_mean(given, known)}")
        return Check(kind, given)

    return read


# ---- the table


@dataclass(frozen=True)
class Kind:
    """A kind of check.

    Attributes:
        about: what a lesson file says there.
        holds: whether it is fulfilled.
        words: the task as a person reads it.
        read: make the check of what a file says; raises ValueError if a name is unknown, with the nearest known one.
    """

    about: str
    holds: Callable[[Watcher, Session], bool]
    words: Callable[[Watcher, Session], str]
    read: Callable[[str, Any, Simulation], Check] = _plain


KINDS = {
    "action": Kind("an action that is done", lambda w, s: s.acted[w.check.name] > w.acted, _action_words),
    "panel": Kind("a panel that is seen", lambda w, s: w.check.name in s.view.panels, _action_words),
    "overlay": Kind("an overlay that is shown", lambda w, s: w.check.name in s.shown, _action_words),
    "tool": Kind(
        "the tool in hand",
        lambda w, s: s.hand.tool.name == w.check.name,
        lambda w, s: translate("Take {name}", name=translate(w.check.name.capitalize())),
    ),
    "selected": Kind(
        f'the prefab of somebody who is selected, or "{ANYONE}"', _is_selected, _selected_words, _prefab(ANYONE)
    ),
    "placed": Kind(
        "the prefab of what is placed",
        lambda w, s: any(isinstance(c, Spawn) and c.entry.prefab == w.check.name for c in w.commands(s)),
        lambda w, s: translate("Place a {name}", name=w.check.name.replace("_", " ")),
        _prefab(),
    ),
    "changed": Kind(
        "what is changed: a field, or more; maybe with what it must be then: world.tick_rate > 60",
        _is_set(_is_changed),
        _value_words("Change {words}"),
        _value,
    ),
    "raised": Kind(
        "what is given a higher value",
        _is_set(lambda w, value: value > w.before),
        _value_words("Raise {words}"),
        _value,
    ),
    "lowered": Kind(
        "what is given a lower value", _is_set(lambda w, value: value < w.before), _value_words("Lower {words}"), _value
    ),
    "measure": Kind(
        "a measure and what it must be: polarization > 0.8",
        lambda w, s: _condition(w.check).holds(w.measure(s)),
        _measure_words,
        _measure,
    ),
    "seconds": Kind(
        "simulated time that must pass", lambda w, s: w.seconds(s) >= w.check.seconds, _seconds_words, _seconds
    ),
}
"""All kinds of checks, by the key of a lesson file."""
