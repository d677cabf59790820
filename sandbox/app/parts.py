"""Installs the built-in panels, tools, overlays and actions, by the same `install(app)` as a mod."""

from __future__ import annotations

from sandbox.app.controls.actions import ACTIONS
from sandbox.app.overlays.effects import Effects
from sandbox.app.overlays.explained import Explained
from sandbox.app.overlays.grid import GridCells
from sandbox.app.overlays.heat import Heat
from sandbox.app.overlays.in_hand import HandInSpace, InHand
from sandbox.app.overlays.labels import Labels
from sandbox.app.overlays.perception import Sight
from sandbox.app.overlays.selection import Selection
from sandbox.app.overlays.trails import Trails
from sandbox.app.overlays.vectors import RuleVectors
from sandbox.app.panels.charts import CHARTS, Charts
from sandbox.app.panels.explain import Explain
from sandbox.app.panels.help import Help
from sandbox.app.panels.inspected_everybody import SURPRISING
from sandbox.app.panels.inspector import Inspector
from sandbox.app.panels.log import Log
from sandbox.app.panels.looks import LooksPanel
from sandbox.app.panels.mods import Mods
from sandbox.app.panels.palette import Palette
from sandbox.app.panels.pipeline import PipelinePanel
from sandbox.app.panels.preferences import PreferencesPanel
from sandbox.app.panels.scenes import Scenes
from sandbox.app.panels.share import Share
from sandbox.app.panels.time_bar import TimeBar
from sandbox.app.panels.undo_history import UndoHistory
from sandbox.app.panels.world import WorldPanel
from sandbox.app.tools.beckon import Beckoning
from sandbox.app.tools.erase import Eraser
from sandbox.app.tools.label import Label
from sandbox.app.tools.select import Select
from sandbox.app.tools.things import thing_tools
from sandbox.app.walking import Walking
from sandbox.extras import modules
from systems.engine.app import App, Install


def install(app: App) -> None:
    """Add the built-in parts; menus and palette list them in this order, and overlays are drawn in this order."""
    walking = Walking()
    app.add_action(*ACTIONS, SURPRISING)
    app.add_tool(Select(), *thing_tools(), Beckoning(), Eraser(), Label())
    app.add_panel(Charts(), Explain(walking), Help(), Inspector())
    app.add_panel(Log(), LooksPanel(), Mods(), Palette(), PipelinePanel())
    app.add_panel(Scenes(), PreferencesPanel(), Share(), TimeBar(), UndoHistory(), WorldPanel())
    app.add_overlay(Labels(), Explained(walking), Heat(), GridCells(), Sight(), Trails(), RuleVectors(), Selection())
    app.add_overlay(Effects(), HandInSpace(), InHand())
    app.add_chart(*CHARTS)


BUILT_IN: tuple[Install, ...] = (install, *(extra.install for extra in modules("window")))
