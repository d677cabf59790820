"""Installs the panels, tools, overlays and actions of the mods that are on in the world; stops mods that fail.

world ── follow: session.replace_parts
fault in a panel ── StopMod ── world
"""

from __future__ import annotations

from weakref import WeakSet

from sandbox.app.first_look import offer_scene, show_what_it_does
from sandbox.app.guarded_part import guarded
from sandbox.app.mod_files import ModFiles
from sandbox.app.session.action import actions_of, without_taken_keys
from sandbox.app.session.modding import SECONDS_TO_READ
from sandbox.app.session.session import Session
from sandbox.language import translate
from sandbox.mods.find.fault import Fault
from sandbox.mods.load.loading import LoadedMod
from sandbox.mods.run.host import ModHost
from systems.engine.app import App
from systems.engine.settings import Settings
from systems.engine.system import System

SLOW = 0.5  # share of the duration of a tick
SLOWS = (
    "The system {words} takes {ms:.0f} ms of every tick, so time may pass slower. "
    "With fewer animals it takes less, and the panel Pipeline can switch it off."
)
TICKS_WATCHED = 60  # per measurement, which leaves out systems that are new in it: their kernels may compile then


class ModParts:
    """The parts for the window of those mods that are on in the session's world."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._built_in = App()
        self._built_in.include(session.app)
        self._host: ModHost | None = None
        self._told = 0  # how many of the world's faults were reported
        self._seen: tuple[object, ...] = ()
        self._parts: dict[str, tuple[LoadedMod, App]] = {}
        self._slow_since: tuple[int, dict[System, int]] = 0, {}
        self._took: dict[System, float] = {}  # ns per tick, in the last measurement
        self._told_wrong: set[str] = set()
        self._told_slow = WeakSet[System]()
        self._files = ModFiles(session)

    def pass_time(self, seconds: float) -> bool:
        """Stop mods that failed, install the parts of those that are on, check files; return whether parts changed."""
        session = self._session
        modding = session.services.modding
        if modding.faults:
            session.playback.wait(0)
        while modding.faults and not session.playback.runs:
            self._stop(session.simulation.mods, modding.faults.pop(0))
        host = session.simulation.mods
        changed = self._follow(host)
        if modding.switched_on in self._parts:
            modding.switched_on, shown = "", self._parts[modding.switched_on]
            show_what_it_does(session, *shown)
        elif modding.switched_on in modding.out_of_place():
            name, modding.switched_on = modding.switched_on, ""
            offer_scene(session, modding.library.assembly.mods[name], modding.library.assembly.parts[name])
        self._files.pass_time(seconds)
        self._name_slow_systems(host)
        return changed

    def _name_slow_systems(self, host: ModHost) -> None:
        """Tell, once per system, if a mod's system takes more than half of the duration of a tick.

        Only if it did in two measurements in a row: a single tick in which kernels compile is in one of them. Not while
        jobs such as a film keep the processor busy: then everything is slow.
        """
        world = host.world
        if self._session.services.jobs.shown:
            self._slow_since, self._took = (world.tick, {}), {}
            return
        ticks, allowed = world.tick - self._slow_since[0], 1e9 * SLOW / world.resource(Settings).tick_rate
        goes = self._session.playback.goes  # then ticks are replayed that `ticks` does not count
        if 0 <= ticks < TICKS_WATCHED and not goes:
            return
        spent = {system: system.nanoseconds for system in host.systems(host.mods)}
        if ticks > 0 and not goes:
            before, known = self._took, self._slow_since[1]
            self._took = {system: (now - known.get(system, now)) / ticks for system, now in spent.items()}
            for system, took in self._took.items():
                lasting = min(took, before.get(system, 0.0))
                if lasting > allowed and system not in self._told_slow:
                    self._told_slow.add(system)
                    text = translate(SLOWS, words=system.name.replace("_", " "), ms=lasting / 1e6)
                    self._session.messages.say(text, SECONDS_TO_READ)
        self._slow_since = world.tick, spent

    def _stop(self, host: ModHost, fault: Fault) -> None:
        if fault.mod in host.mods and fault.mod not in host.off:
            host.stop(fault)

    def _follow(self, host: ModHost) -> bool:
        """Install the parts of the mods that are on in the world, report new faults; return whether parts changed."""
        if host is not self._host:
            self._host, self._told, self._parts = host, 0, {}
            self._slow_since, self._took = (host.world.tick, {}), {}
            if not self._session.document.timeline.in_past:  # in the past it would be an edit of the recording
                self._session.services.modding.bring_up_to_date(host)
        seen = (host, *host.mods.values(), host.off)
        if seen != self._seen:
            self._seen = seen
            faults, self._told = host.faults[self._told :], len(host.faults)
            before, opened = self._parts, list(self._session.preferences.open)
            self._take_parts(host)
            for fault in faults:
                self._tell(fault, host, before, opened)
            self._session.services.modding.changed += 1
            return True
        return False

    def _take_parts(self, host: ModHost) -> None:
        session, services, app, parts = self._session, self._session.services, App(), {}
        app.include(self._built_in)
        for name, mod in host.mods.items():
            if name in host.off:
                continue
            known = self._parts.get(name)
            if known and known[0] is mod:
                own = known[1]
            else:
                own = guarded(mod, host.parts[name], services.asking, services.modding.faults.append)
                wrong = without_taken_keys(own, actions_of(app).values(), session.preferences)
                for each in own.preferences:
                    wrong += each.recall(session.preferences)
                for sentence in wrong:
                    if sentence not in self._told_wrong:  # once in a session, not for every world
                        session.messages.warn(sentence, SECONDS_TO_READ)
                self._told_wrong.update(wrong)
            parts[name] = mod, own
            app.include(own)
        self._parts = parts
        session.replace_parts(app)

    def _tell(self, fault: Fault, host: ModHost, before: dict[str, tuple[LoadedMod, App]], opened: list[str]) -> None:
        """Show why a mod was stopped, and which mods and panels went with it."""
        title = host.mods[fault.mod].manifest.title
        place = f"{fault.place}: " if fault.place else ""
        stopped = host.with_dependents(fault.mod)
        also = [host.mods[mod].manifest.title for mod in stopped[1:]]
        panels = [panel for mod in stopped if mod in before for panel in before[mod][1].panels]
        gone = [panel.title for panel in panels if panel.name in opened]
        text = translate(
            "The mod {title} was stopped: {what} ({where}).",
            title=title,
            what=f"{place}{fault.message}",
            where=fault.where,
        )
        if also:
            text += translate(" So are {mods}, which need it.", mods=translate(" and ").join(also))
        if gone:
            text += translate(" Closed: {panels}.", panels=", ".join(map(translate, gone)))
        self._session.messages.warn(text, SECONDS_TO_READ, fault.mod)
