"""What is measured of the world; nothing in the tick reads it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from systems.engine.app import App


@dataclass
class Measures:
    """The measures of the last tick by name.

    Attributes:
        wanted: names of the systems that measure. Only requested measures are computed; some are expensive.
        values: a number for each name; a system of phase MEASURE puts its own in when its name is wanted.
    """

    wanted: Collection[str] = ()
    values: dict[str, float] = field(default_factory=dict)


def install(app: App) -> None:
    app.add_resource(Measures)
