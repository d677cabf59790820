"""Shows what a mod does right after a person has switched it on: its scene is offered, or its thing is in the hand."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.app.questions import Question, nothing
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Tool
from sandbox.design.prefabs import brought_names
from sandbox.language import translate
from sandbox.mods.load.loading import LoadedMod
from sandbox.scenes.bundled import scenes_in
from sandbox.scenes.headline import headline
from systems.engine.app import App


def show_what_it_does(session: Session, mod: LoadedMod, own: App) -> None:
    """Offer the mod's first scene; if it has none, take its tool or prefab into the hand, or show its other parts.

    Args:
        own: the parts that it adds to the window.
    """
    if offer_scene(session, mod, own):
        return
    if own.tools:
        session.hand.take(session, own.tools[0])
    elif found := _placed(session, brought_names(session.simulation.mods.parts[mod.id])):
        tool, prefab = found
        session.hand.choose(tool, prefab)
        session.hand.take(session, tool)
    else:
        session.shown.update(overlay.name for overlay in own.overlays)
        for panel in own.panels[:1]:
            session.front(panel.name)


def offer_scene(session: Session, mod: LoadedMod, own: App) -> bool:
    """Ask whether to open the mod's first scene; return whether it has one."""
    if not (scenes := scenes_in(own.scenes)):
        return False
    file, title = scenes[0], mod.manifest.title
    text = translate("Its scene “{scene}” shows what it does.", scene=headline(file).name)
    answers = [
        ("Open the scene", lambda: session.services.filing.open(file, lambda: _clear_the_view(session))),
        ("Stay in this world", nothing),
    ]
    session.ask(Question(translate("See what {title} does?", title=title), text, answers))
    return True


def _clear_the_view(session: Session) -> None:
    """Close the panels that lie over the world."""
    for name in [*session.view.over]:
        session.toggle_panel(name)


def _placed(session: Session, names: Sequence[str]) -> tuple[Tool, str] | None:
    """Return the first tool that places one of these prefabs, and the prefab."""
    for tool in session.hand.tools:
        for name in tool.prefabs(session.simulation.world.prefabs):
            if name in names:
                return tool, name
    return None
