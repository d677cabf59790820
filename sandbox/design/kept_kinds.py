"""The list of all kinds of tables in a scene that concern only the window."""

from __future__ import annotations

from sandbox.design.kept_tables import KeptTables
from sandbox.design.labels import Labels
from sandbox.design.pictures import Pictures
from sandbox.design.presets import Everybody, Presets

KEPT: dict[str, type[KeptTables]] = {kind.table: kind for kind in (Presets, Everybody, Labels, Pictures)}
