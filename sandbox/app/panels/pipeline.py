"""The Pipeline panel: what happens in a tick, how long each system takes, and what it does to the selected entity."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from imgui_bundle import icons_fontawesome_6 as icons

from components.store.records import by_type
from sandbox.app.fields.binding import of_system, reset_system
from sandbox.app.fields.lines import Lines, lines
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.ui import Ui
from sandbox.app.measuring.profile import Profile
from sandbox.app.panels.pipeline_graph import Column, Graph, Node
from sandbox.app.session.session import Session
from sandbox.app.walking import OfSelected
from sandbox.explain.changes import Deeds, who_did_what
from sandbox.language import translate
from systems.engine.flows import Flow, flows
from systems.engine.pipeline import Pipeline
from systems.engine.system import Phase, System

RESET = f"{icons.ICON_FA_ROTATE_LEFT} Reset##systems"
BACK = f"{icons.ICON_FA_BACKWARD_STEP}##tick before"
PAUSE = f"{icons.ICON_FA_PAUSE} Pause##pipeline"
MOST = 0.45  # of the panel's height: the most that a chosen system's parameters take
TICKS = 2  # estimated cost of saying what each system does to an entity, in ticks


class PipelinePanel(Panel):
    """Shows the systems of all phases as a graph, with switches and parameters, and who changes what of the selected.

    Attributes:
        profile: times by system and stage, averaged over the last second.
        graph: the boxes and arrows.
    """

    name = "pipeline"
    title = "Pipeline"
    help = "who did this? The systems of a tick: their times, what flows between them, what each does to the selection"
    side = Side.FLOATING
    size = 960.0, 700.0

    def __init__(self) -> None:
        self.profile = Profile()
        self.graph = Graph()
        self._did = OfSelected(who_did_what, TICKS)
        self._widgets = FieldWidgets()
        self._flows: tuple[tuple[System, ...], tuple[Flow, ...]] = (), ()

    def reset(self, session: Session) -> None:
        self._did.reset()
        self.profile, self._flows = Profile(), ((), ())  # systems of mods keep columns of the world before

    def update(self, session: Session) -> None:
        """Measure this frame; called in every frame while the panel is open."""
        self.profile.update(session.simulation, session.view.frame_times)
        if self.name in session.view.panels:
            self._did.look(session)

    def draw(self, session: Session, ui: Ui) -> None:
        pipeline = session.simulation.pipeline
        if self._flows[0] is not pipeline.systems:
            self._flows = pipeline.systems, flows(pipeline.systems)
        did = self._did.look(session)
        self._head(session, ui, did)
        chosen = pipeline.by_name.get(self.graph.chosen)
        self.graph.chosen = chosen.name if chosen is not None else ""
        below = 0.0
        if chosen is not None:
            about = ui.size(translate(chosen.about), ui.room[0])[1]
            below = min(2 * ui.gap + about + (1 + len(chosen.parameters)) * ui.row, MOST * ui.room[1])
        with ui.child("graph", (0, -below)) as shown:
            if shown:
                self.graph.draw(session, ui, self._columns(session, did or {}), self._flows[1])
        if chosen is not None:
            with ui.child("chosen"):
                self._details(session, ui, chosen)

    def _head(self, session: Session, ui: Ui, did: Mapping[str, Deeds] | None) -> None:
        """Draw the times of a tick and of a frame, a button that resets all systems, and whose changes are told."""
        tick = sum(self.profile.systems.get(system.name, 0.0) for system in _in_tick(session.simulation.pipeline))
        ui.on_a_row()
        ui.wrapped(
            "A tick: {tick:.2f} ms. A frame: {frame:.2f} ms.", tick=tick, frame=sum(self.profile.stages.values())
        )
        ui.at_the_right(RESET)
        if ui.button(RESET, "Reset every system to what the scene says"):
            joins = False
            for system in session.simulation.pipeline.systems:
                joins = reset_system(session, system, joins)
        one, world = session.selection.one, session.simulation.world
        if did is not None and one is not None:
            who = list(world.prefabs)[world.table.prefab[world.table.row_of(one)]]
            self._go_back(session, ui)
            words = "What each does to {who} {one} from tick {tick:,} to {next:,}."
            ui.wrapped(words, who=who, one=one, tick=self._did.tick, next=self._did.tick + 1)
        elif one is not None and self._did.is_dear(session):
            ui.wrapped("To say what each does to the selected one takes a while in this world: pause.", ui.theme.faint)
            if ui.button(PAUSE):
                session.act("pause")
        else:
            ui.wrapped("Who did this? Select one, and each system says what it changes of it.", ui.theme.faint)

    def _go_back(self, session: Session, ui: Ui) -> None:
        """Draw the button that leads to the tick in which what is seen now was done."""
        words = session.with_key("To see who did what has just happened, pause and go one tick back", "tick_back")
        if ui.button(BACK, words, enabled=session.playback.at > session.document.timeline.recording.first):
            session.act("tick_back")
        ui.beside()
        ui.on_a_row()

    def _columns(self, session: Session, did: Mapping[str, Deeds]) -> list[Column]:
        """Return the phases with their systems; RENDER also has the stages of a frame."""
        pipeline, times, mods = session.simulation.pipeline, self.profile.systems, session.simulation.mods.mod_of
        in_tick = max((times.get(system.name, 0.0) for system in _in_tick(pipeline)), default=0.0)
        in_frame = max(self.profile.stages.values(), default=0.0)
        columns = []
        for phase, group in groupby(pipeline.systems, lambda system: system.phase):
            longest = (in_frame if phase is Phase.RENDER else in_tick) or 1.0
            nodes = []
            for system in group:
                ms, does = times.get(system.name, 0.0), did[system.name].words if system.name in did else ()
                nodes.append(Node(system.name, ms, min(ms / longest, 1.0), system, mods.get(system.name, ""), does))
            if phase is Phase.RENDER:
                nodes += [Node(words, ms, ms / longest) for words, ms in self.profile.stages.items()]
            columns.append(Column(translate(phase.name), tuple(nodes)))
        return columns

    def _details(self, session: Session, ui: Ui, system: System) -> None:
        """Draw what the chosen system is, and its parameters."""
        ui.heading(system.name.replace("_", " "))
        ui.wrapped(system.about)
        self._widgets.begin(session, ui)
        self._widgets.lines(_lines(type(system)), of_system(session, system))


def _in_tick(pipeline: Pipeline) -> list[System]:
    return [system for system in pipeline.systems if system.phase is not Phase.RENDER]


@by_type
def _lines(system: type[System]) -> Lines:
    return lines(system.parameters.values())
