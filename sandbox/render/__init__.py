"""The phase RENDER: finds what is drawn of a world, and its colours, as plain arrays, which the window draws.

Every world has these systems: scenes, commands and recordings choose the colours.
"""

from __future__ import annotations

from sandbox.render.animals import Render
from sandbox.render.backdrop import Backdrop
from sandbox.render.scenery import Scenery
from systems.engine.app import App


def install(app: App) -> None:
    app.add_resource(Backdrop)
    app.add_system(Scenery, Render)
