"""Checks whether the task of a lesson's step is done."""

from __future__ import annotations

import math
import time

from components.store.words import plain
from sandbox.app.session.session import Session
from sandbox.condition import Condition
from sandbox.design.presets import QUANTITIES
from sandbox.edit import CommandQueue, Spawn
from sandbox.edit.value_now import value_now, values_set
from sandbox.extras.lessons.lesson import ANYONE, Check
from sandbox.language import translate
from sandbox.record import measured
from systems.engine.measures import POPULATION
from systems.engine.settings import Settings

OFTEN = 0.5  # s between two evaluations of a measure: some are expensive


class Watcher:
    """Watches from its creation on whether a check is fulfilled; `value`: the measure when it was last evaluated."""

    def __init__(self, check: Check, session: Session) -> None:
        self.check, self.value = check, math.nan
        self._measured_at = 0.0
        self._acted = session.acted[check.name]
        self._queue = session.simulation.world.resource(CommandQueue).count
        self._tick = session.simulation.tick
        self._before = math.nan
        if check.kind in ("raised", "lowered"):
            self._before = value_now(session.simulation.world, check.name)

    def holds(self, session: Session) -> bool:
        """Return whether the check is fulfilled."""
        check, name = self.check, self.check.name
        if check.kind == "action":
            return session.acted[name] > self._acted
        if check.kind == "panel":
            return name in session.view.panels
        if check.kind == "overlay":
            return name in session.shown
        if check.kind == "tool":
            return session.hand.tool.name == name
        if check.kind == "selected":
            return self._is_selected(session)
        if check.kind == "seconds":
            return self.seconds(session) >= check.seconds
        return self._is_measured(session) if check.kind == "measure" else self._is_commanded(session)

    def seconds(self, session: Session) -> float:
        """Return the simulated seconds that have passed; going back in time does not count."""
        simulation = session.simulation
        self._tick = min(self._tick, simulation.tick)
        return (simulation.tick - self._tick) / simulation.world.resource(Settings).tick_rate

    def _is_selected(self, session: Session) -> bool:
        world = session.simulation.world
        rows = world.table.living(session.selection.array)
        if self.check.name == ANYONE:
            return bool(len(rows))
        names = tuple(world.prefabs)
        return self.check.name in {names[index] for index in world.table.prefab[rows].tolist()}

    def _is_measured(self, session: Session) -> bool:
        name, condition = self.check.name, self.check.condition
        if (now := time.monotonic()) - self._measured_at >= OFTEN:
            self._measured_at = now
            try:
                self.value = measured(session.simulation, [name])[0][name]
            except ValueError:  # another world is shown that lacks the measure
                self.value = math.nan
        return condition is not None and condition.holds({name: self.value})

    def _is_commanded(self, session: Session) -> bool:
        """Return whether a command that was carried out since the last call fulfils the check."""
        world, check = session.simulation.world, self.check
        queue = world.resource(CommandQueue)
        new = [done.command for done in queue.since(min(self._queue, queue.count))]
        self._queue = queue.count
        if check.kind == "placed":
            return any(isinstance(command, Spawn) and command.entry.prefab == check.name for command in new)
        try:
            values = [value for command in new for value in values_set(world, command, check.name)]
        except ValueError:  # another world is shown that lacks the value
            return False
        if check.condition is not None:
            return any(check.condition.holds({check.name: value}) for value in values)
        if check.kind == "changed":
            return bool(values)
        return any(value > self._before if check.kind == "raised" else value < self._before for value in values)


def measure_words(name: str) -> str:
    """Return the name of a measure as people read it: "fish" for "population.fish"."""
    return translate(name.removeprefix(POPULATION).replace("_", " "))


def condition_words(condition: Condition) -> str:
    """Return a condition as people read it: "fish < 50"."""
    return f"{measure_words(condition.name)} {condition.sign} {condition.number:g}"


def words_of(session: Session, watcher: Watcher) -> str:
    """Return the task of a check in a few words: "Pause / resume (Space)"."""
    check, name = watcher.check, watcher.check.name
    if check.kind in ("action", "overlay", "panel"):
        return session.with_key(session.actions[name].title, name)
    if check.kind == "tool":
        return translate("Take {name}", name=translate(name.capitalize()))
    if check.kind == "selected":
        return (
            translate("Select somebody")
            if name == ANYONE
            else translate("Select a {name}", name=name.replace("_", " "))
        )
    if check.kind == "placed":
        return translate("Place a {name}", name=name.replace("_", " "))
    if check.kind == "seconds":
        left = math.ceil(max(check.seconds - watcher.seconds(session), 0))
        return translate("{left} s to go", left=left)
    if check.kind == "measure":
        value = "" if math.isnan(watcher.value) else translate(", now {value}", value=plain(round(watcher.value, 2)))
        assert check.condition is not None
        return f"{condition_words(check.condition)}{value}"
    verb, condition = (
        {"raised": "Raise {words}", "lowered": "Lower {words}"}.get(check.kind, "Change {words}"),
        check.condition,
    )
    words = " ".join(part for part in name.split(".") if not part[:1].isupper()).replace("_", " ")
    if condition is None:
        return translate(verb, words=translate(words))
    if name in session.simulation.pipeline.by_name:
        return translate(
            "Switch {words} on" if condition.holds({name: 1.0}) else "Switch {words} off", words=translate(words)
        )
    number = f"{condition.number:{'.0%' if name in QUANTITIES else 'g'}}"
    return f"{translate(words)} {condition.sign.replace('==', '=')} {number}"
