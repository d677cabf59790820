"""Mods in the window: their panels and tools come and go with what the world has, and a person switches them.

panel Mods, question ── library ── UseMods, SwitchMod ── world ── follow: session.install
fault in a panel ── StopMod ───────────────────────────────┘
files changed ── question ── library.reload ── UseMods ────┘
"""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from components.store.table import fields_of
from sandbox.app.guarded_part import guarded
from sandbox.app.mod_files import RIGHTS, SECONDS_TO_READ, ModFiles
from sandbox.app.questions import Question, nothing
from sandbox.app.session import Session
from sandbox.mods.find.fault import Fault
from sandbox.mods.find.manifest import ModError
from sandbox.mods.find.states import Listed, State
from sandbox.mods.load.library import Library
from sandbox.mods.load.loading import LoadedMod, LoadError
from sandbox.mods.load.window_parts import refuse_wrong_parts
from sandbox.mods.run.bringing import UseMods
from sandbox.mods.run.host import ModHost, SwitchMod
from sandbox.mods.run.running import RunningMods
from sandbox.scenes.bundled import is_bundled
from sandbox.simulation import Simulation
from systems.engine.app import App
from systems.engine.pipeline import System
from systems.engine.settings import Settings

SLOW = 0.5  # of the time that there is for a tick
TICKS_WATCHED = 60  # the first run of a kernel, which compiles it, is in the first of them


class Modding:
    """What the window does with mods.

    Attributes:
        library: all mods of this session.
        changed: how often what is on has changed; the panel looks again then.
    """

    def __init__(self, session: Session, library: Library, running: RunningMods) -> None:
        self.library, self.changed = library, 0
        self._running = running
        self._session = session
        self._built_in = App()
        self._built_in.include(session.app)
        self._host: ModHost | None = None
        self._told = 0  # of the world's faults
        self._seen: tuple[object, ...] = ()
        self._parts: dict[str, tuple[LoadedMod, App]] = {}
        self._slow_since: tuple[int, dict[System, int]] = 0, {}
        self._told_slow = WeakSet[System]()
        self._files = ModFiles(session)
        for problem in library.problems:
            session.messages.warn(problem, SECONDS_TO_READ)

    # ---- every frame

    def pass_time(self, seconds: float) -> bool:
        """Stop what failed, follow what the world has, look at files; returns whether panels or tools changed."""
        session = self._session
        host = session.simulation.mods
        while session.faults:
            self._stop(host, session.faults.pop(0))
        changed = self._follow(host)
        self._files.pass_time(seconds)
        self._name_slow_systems(host)
        return changed

    def _name_slow_systems(self, host: ModHost) -> None:
        """Say once of a system of a mod that it takes most of the time that there is for a tick."""
        world = host.world
        ticks, allowed = world.tick - self._slow_since[0], 1e9 * SLOW / world.resource(Settings).tick_rate
        if 0 <= ticks < TICKS_WATCHED:
            return
        spent = {system: system.nanoseconds for system in host.systems(host.mods)}
        for system, now in spent.items():
            took = (now - self._slow_since[1].get(system, now)) / max(ticks, 1)
            if took > allowed and system not in self._told_slow:
                self._told_slow.add(system)
                words = system.name.replace("_", " ")
                text = f"The system {words} takes {took / 1e6:.0f} ms of every tick: see the panel Profiler."
                self._session.messages.warn(text, SECONDS_TO_READ)
        self._slow_since = world.tick, spent

    def _stop(self, host: ModHost, fault: Fault) -> None:
        if fault.mod in host.mods and fault.mod not in host.off:
            host.stop(fault)

    def _follow(self, host: ModHost) -> bool:
        """Have the parts of the mods that are on in the world shown, and say what was stopped."""
        if host is not self._host:
            self._host, self._told, self._parts = host, 0, {}
            self._bring_up_to_date(host)
        faults, self._told = host.faults[self._told :], len(host.faults)
        seen = (host, *host.mods.values(), host.off)
        if seen != self._seen:
            self._seen = seen
            before, opened = self._parts, list(self._session.preferences.open)
            self._take_parts(host)
            for fault in faults:
                self._tell(fault, host, before, opened)
            self.changed += 1
            return True
        return False

    def _bring_up_to_date(self, host: ModHost) -> bool:
        """Have the loaded mods in the world: one that is made again as it began has those of then; whether it can."""
        if all(host.mods.get(mod.id) is mod for mod in self.library.loaded):
            return True
        return self._session.submit(UseMods(self.library.loaded))

    def _take_parts(self, host: ModHost) -> None:
        session, app, parts = self._session, App(), {}
        app.include(self._built_in)
        for name, mod in host.mods.items():
            if name in host.off:
                continue
            known = self._parts.get(name)
            try:
                refuse_wrong_parts(app, host.parts[name])
            except (ValueError, TypeError) as error:
                session.faults.append(mod.fault(error, "install"))
                continue
            if known and known[0] is mod:
                own = known[1]
            else:
                own = guarded(mod, host.parts[name], session, session.faults.append)
            parts[name] = mod, own
            app.include(own)
        self._parts = parts
        session.install(app)

    def _tell(self, fault: Fault, host: ModHost, before: dict[str, tuple[LoadedMod, App]], opened: list[str]) -> None:
        """Say why a mod was stopped, and what went with it."""
        title = host.mods[fault.mod].manifest.title
        place = f"{fault.place}: " if fault.place else ""
        stopped = host.with_dependents(fault.mod)
        also = [host.mods[mod].manifest.title for mod in stopped[1:]]
        panels = [panel for mod in stopped if mod in before for panel in before[mod][1].panels]
        gone = [panel.title for panel in panels if panel.name in opened]
        text = f"The mod {title} was stopped: {place}{fault.message} ({fault.where})."
        if also:
            text += f" So are {' and '.join(also)}, which need it."
        if gone:
            text += f" Closed: {', '.join(gone)}."
        self._session.messages.warn(text, SECONDS_TO_READ)

    # ---- what a person does

    def switch(self, listed: Listed, on: bool) -> None:
        """Switch a mod on or off; before it is enabled, and after it has changed, a person is asked."""
        if not on:
            self._disable(listed)
        elif listed.state is State.ON:
            self._bring(listed.id)
        else:
            self._ask(listed)

    def _ask(self, listed: Listed) -> None:
        found, again = listed.found, listed.state is State.CHANGED
        title = found.manifest.title if found.manifest else listed.id
        if is_bundled(found.folder) and not again:
            text = f"{title} comes with the program. You can switch it off again at any time."
            answers = [("Enable", lambda: self.enable(listed)), ("Cancel", nothing)]
            self._session.ask(Question(f"Enable {title}?", text, answers))
            return
        changed = "Its files are not those that you enabled. " if again else ""
        text = f"{title} ({listed.id}) is from: {found.origin.value}.\n{found.folder}\n\n{changed}{RIGHTS}"
        answers = [("Enable", lambda: self.enable(listed)), ("Leave it off", nothing)]
        self._session.ask(Question(f"Enable {title}?", text, answers, by_enter=False))

    def enable(self, listed: Listed) -> None:
        """Let a mod run with its files as they are, and have it in the world."""
        self._running.begin({*self.library.wanted, listed.id})
        try:
            became = self.library.enable(listed.id)
        except (ModError, OSError) as error:
            self._session.messages.warn(f"{listed.id} can't be enabled: {error}", SECONDS_TO_READ)
            return
        self.changed += 1
        if self.library.safe:
            self._session.messages.say(f"{listed.id} is enabled; no mod is loaded in safe mode")
        elif became.state is not State.ON:
            self._session.messages.warn(f"{listed.id} is enabled, but not on: {became.reason}", SECONDS_TO_READ)
        elif self._bring(listed.id):
            self._session.messages.say(f"{listed.id} is on")

    def _bring(self, mod: str) -> bool:
        """Have the loaded mods in the world, this one switched on."""
        session = self._session
        host = session.simulation.mods
        if not self._bring_up_to_date(host):
            return False
        session.simulation.settle_commands()
        return mod not in host.off or session.submit(SwitchMod(mod, True))

    def _disable(self, listed: Listed) -> None:
        host = self._session.simulation.mods
        try:
            self.library.disable(listed.id)
        except OSError as error:
            self._session.messages.warn(str(error), SECONDS_TO_READ)
            return
        self.changed += 1
        if listed.id in host.mods and listed.id not in host.off:
            self._session.submit(SwitchMod(listed.id, False))

    def look_again(self) -> None:
        """Look for mods that came or went, and at the files of those that are enabled."""
        self.library.look_again()
        self.changed += 1
        self._bring_up_to_date(self._session.simulation.mods)

    def leave_safe_mode(self, *, into_world: bool = True) -> None:
        """Load the mods that are enabled after all; `into_world`: also into the one that is shown."""
        self.library.safe = False
        self._running.begin(self.library.wanted)
        if into_world:
            self.look_again()

    def close(self) -> None:
        """The window closes as it should."""
        self._running.end()

    def reload(self, mod: str) -> None:
        """Load a mod anew with its files as they are now; where that can't be, the old version goes on."""
        session = self._session
        try:
            new = self.library.reload(mod)
        except (LoadError, ModError, OSError) as error:
            session.messages.warn(
                f"Could not reload {mod}; the previous version keeps running: {error}", SECONDS_TO_READ
            )
            return
        self.changed += 1
        had = _defaults_had(session.simulation, mod)
        if self._bring(mod):
            fields = (each for part in session.simulation.mods.parts[mod].components for each in fields_of(part))
            changed = [field.key for field in fields if had.get(field.key, field.default) != field.default]
            if changed:
                those = ", ".join(changed)
                session.messages.say(f"Those who live keep the old default of {those}; newcomers have the new one")
            others = [f" and {other.id}, which needs it" for other in new[1:]]
            session.messages.say(f"Reloaded {mod} {new[0].manifest.version}{''.join(others)}")


def _defaults_had(simulation: Simulation, mod: str) -> dict[str, Any]:
    """The defaults that someone has of the fields of a mod's components, by key."""
    table, part = simulation.world.table, simulation.mods.parts.get(mod)
    fields = [
        (each, table.rows(component)) for component in (part or App()).components for each in fields_of(component)
    ]
    return {
        field.key: field.default
        for field, rows in fields
        if field.in_files and (table.columns[field.key][rows] == field.dtype.type(field.default)).any()
    }
