"""Enables, disables, switches and reloads the mods of a document's world.

panel Mods, question ── library ── UseMods, SwitchMod ── world
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandbox.app.document.document import Document
from sandbox.app.files.asking import Asking
from sandbox.app.messages import Messages
from sandbox.app.questions import Question, nothing
from sandbox.language import translate
from sandbox.mods.find.fault import Fault
from sandbox.mods.find.manifest import ModError
from sandbox.mods.find.states import Listed, ModState
from sandbox.mods.load.library import Library
from sandbox.mods.load.loading import LoadError
from sandbox.mods.run.host import ModHost, SwitchMod
from sandbox.mods.run.running_mods import RunningMods
from sandbox.mods.run.upgrade import UseMods
from sandbox.scenes.bundled import is_bundled
from sandbox.simulation import Simulation
from systems.engine.app import App

SECONDS_TO_READ = 30.0
RIGHTS = (
    "A mod is a program with all the rights that you have on this computer: it can read, change and send your files. "
    "Enable it if you trust where it is from."
)


class Modding:
    """The operations on mods.

    Attributes:
        library: all mods of this session.
        changed: a counter that grows when the list of mods may have changed; the panel then refreshes.
        faults: faults of parts of the window whose mods are still to be stopped.
        switched_on: the mod that a person has just switched on, until the window shows what it does; "": none.
    """

    def __init__(
        self, document: Document, messages: Messages, asking: Asking, library: Library, running: RunningMods
    ) -> None:
        self.library, self.changed, self.switched_on = library, 0, ""
        self.faults: list[Fault] = []
        self._document, self._messages, self._asking, self._running = document, messages, asking, running
        for problem in library.problems:
            messages.warn(problem, SECONDS_TO_READ)

    def bring_up_to_date(self, host: ModHost) -> bool:
        """Give the world the loaded mods that run in it (a restarted one has those of its first start).

        Returns:
            whether it has them.
        """
        loaded = self.library.fitting(host.world.table.axes).loaded
        if all(host.mods.get(mod.id) is mod for mod in loaded):
            return True
        return self._document.submit(UseMods(loaded))

    def switch(self, listed: Listed, on: bool) -> None:
        """Let a mod run, or no longer: enable or disable it, and switch it in the world.

        Ask before one that is not bundled is enabled for the first time, and after its files have changed.
        """
        if not on:
            self._disable(listed)
        elif listed.state is ModState.ON:
            self._switch_on(listed.id)
        elif is_bundled(listed.found.folder):
            self.enable(listed)
        else:
            self._ask(listed)

    def _ask(self, listed: Listed) -> None:
        found, again = listed.found, listed.state is ModState.CHANGED
        title = found.manifest.title if found.manifest else listed.id
        changed = "Its files have changed since you enabled it. " if again else ""
        text = translate(
            "{title} ({id}) is from: {origin}.", title=title, id=listed.id, origin=translate(found.origin.value)
        )
        text += f"\n{found.folder}\n\n{translate(changed)}{translate(RIGHTS)}"
        answers = [("Enable", lambda: self.enable(listed)), ("Leave it off", nothing)]
        self._asking.ask(Question(translate("Enable {title}?", title=title), text, answers, by_enter=False))

    def enable(self, listed: Listed) -> None:
        """Enable a mod with its present content, and switch it on in the world."""
        self._running.begin({*self.library.wanted, listed.id})
        try:
            became = self.library.enable(listed.id)
        except (ModError, OSError) as error:
            self._messages.warn(translate("{id} can't be enabled: {error}", id=listed.id, error=error), SECONDS_TO_READ)
            return
        self.changed += 1
        if self.library.safe:
            self._messages.say(translate("{id} is enabled; no mod is loaded in safe mode", id=listed.id))
        elif became.state is not ModState.ON:
            self._messages.warn(
                translate("{id} is enabled, but not on: {reason}", id=listed.id, reason=became.reason), SECONDS_TO_READ
            )
        elif self._switch_on(listed.id):
            self._messages.say(translate("{id} is on", id=listed.id))

    def _switch_on(self, mod: str) -> bool:
        """Switch a mod on in the world because a person wants it; return whether that was accepted."""
        done = self._bring(mod)
        self.switched_on = mod if done or mod in self.out_of_place() else ""
        return done

    def _bring(self, mod: str) -> bool:
        """Give the world the loaded mods, and switch this one on; return whether the commands were accepted."""
        host = self._document.simulation.mods
        if not self.bring_up_to_date(host):
            return False
        self._document.simulation.settle_commands()
        if why := self.out_of_place().get(mod):
            self._messages.warn(translate("{id} is enabled, but not on: {reason}", id=mod, reason=why), SECONDS_TO_READ)
            return False
        return mod not in host.off or self._document.submit(SwitchMod(mod, True))

    def out_of_place(self) -> Mapping[str, str]:
        """Return the loaded mods that don't run in this world, and why."""
        return self.library.out_of_place(self._document.simulation.world.table.axes)

    def _disable(self, listed: Listed) -> None:
        host = self._document.simulation.mods
        try:
            self.library.disable(listed.id)
        except OSError as error:
            self._messages.warn(str(error), SECONDS_TO_READ)
            return
        self.changed += 1
        if listed.id in host.mods and listed.id not in host.off:
            self._document.submit(SwitchMod(listed.id, False))

    def look_again(self) -> None:
        """Search for new and removed mods, and check the files of the enabled ones."""
        self.library.look_again()
        self.changed += 1
        self.bring_up_to_date(self._document.simulation.mods)

    def leave_safe_mode(self, *, into_world: bool = True) -> None:
        """Load the enabled mods after all; `into_world`: also use them in the world that is shown."""
        self.library.safe = False
        self._running.begin(self.library.wanted)
        if into_world:
            self.look_again()

    def close(self) -> None:
        """Note that the window closes normally."""
        self._running.end()

    def reload(self, mod: str) -> None:
        """Reload a mod from its present files; if that fails, the previous version keeps running."""
        try:
            new = self.library.reload(mod)
        except (LoadError, ModError, OSError) as error:
            self._messages.warn(
                translate("Could not reload {mod}; the previous version keeps running: {error}", mod=mod, error=error),
                SECONDS_TO_READ,
                mod,
            )
            return
        self.changed += 1
        had = _defaults_had(self._document.simulation, mod)
        if self._bring(mod):
            self._messages.withdraw(mod)
            parts = self._document.simulation.mods.parts[mod]
            fields = (each for brought in parts.components for each in brought.fields.values())
            changed = [field.key for field in fields if had.get(field.key, field.default) != field.default]
            if changed:
                those = ", ".join(changed)
                self._messages.say(
                    translate(
                        "Existing entities keep the old default of {those}; new ones get the new default", those=those
                    )
                )
            others = [translate(" and {id}, which needs it", id=other.id) for other in new[1:]]
            self._messages.say(
                translate(
                    "Reloaded {mod} {version}{others}", mod=mod, version=new[0].manifest.version, others="".join(others)
                )
            )


def _defaults_had(simulation: Simulation, mod: str) -> dict[str, Any]:
    """Return by key the defaults of those fields of a mod's components that have the default in some entity."""
    table, brought = simulation.world.table, simulation.mods.parts.get(mod)
    components = (brought or App()).components
    fields = [(each, table.rows(component)) for component in components for each in table.form(component).fields]
    return {
        field.key: field.default
        for field, rows in fields
        if field.in_files and (table.columns[field.key][rows] == field.dtype.type(field.default)).any()
    }
