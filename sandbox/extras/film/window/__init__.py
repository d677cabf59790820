"""The panel Film, and the actions that film without it."""

from __future__ import annotations

from sandbox.api import Action, App, icons
from sandbox.extras.film.window.filming import Filming
from sandbox.extras.film.window.panel import Film


def install(app: App) -> None:
    """Add the panel and the actions."""
    filming = Filming()
    panel = Film(filming)
    app.add_panel(panel)
    app.add_action(
        Action(
            "gif",
            "GIF of the last seconds",
            filming.gif,
            ("F3",),
            "File",
            section=3,
            help="the last four seconds as a moving picture, made while you play on",
        ),
        Action(
            "film_here",
            "Film: start, end",
            panel.mark,
            ("F4",),
            "Time",
            help="the first time sets the start of a film, the second time its end; then it is made",
            is_on=lambda _: filming.begin is not None,
            bar="time",
            icon=icons.ICON_FA_CIRCLE,
            since=lambda _: filming.begin,
        ),
    )
