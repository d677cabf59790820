"""Generates the tables in docs/scenes.md from the declarations of components.

`python tools/component_table.py` brings the page up to date; a test checks that it is.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "scenes.md"
BEGIN, END = "<!-- components: made by tools/component_table.py -->", "<!-- end of components -->"


def component_tables() -> str:
    """Return a heading and a table for each component, in Markdown."""
    from sandbox.parts import BUILT_IN
    from systems.engine.app import installed

    parts = []
    for component in installed(BUILT_IN).components:
        fields = [field for field in component.fields.values() if not field.transient]
        rows = [f"| `{field.name}` | {_values(field)} | {_default(field)} | {_help(field)} |" for field in fields]
        head = [f"### {component.__name__}", "", component.__doc__ or "", ""]
        parts.append("\n".join([*head, "| key | value | default | meaning |", "|---|---|---|---|", *rows]))
    return "\n\n".join(parts)


def current(page: str) -> str:
    """Return the page with up-to-date tables."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n{component_tables()}\n\n{END}{rest.split(END)[1]}"


def _values(field) -> str:
    from components.store.fields import Kind

    if field.kind is Kind.SWITCH:
        return "`true` or `false`"
    if field.kind is Kind.CHOICE:
        return ", ".join(f'`"{choice}"`' for choice in field.choices)
    if field.kind is Kind.COLOUR:
        return '`"#rrggbb"`'
    if field.kind is Kind.PREFABS:
        return "a list of prefabs"
    above = "above " if field.above_low else ""
    whole = "whole, " if field.kind is Kind.INTEGER else ""
    return f"{whole}{above}{field.low:,.10g} to {field.high:,.10g} {field.unit}".strip()


def _help(field) -> str:
    return f"{field.help}; only with depth" if field.deep else field.help


def _default(field) -> str:
    value = field.show(field.default)
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, list):
        return f"`{value}`"
    return f'`"{value}"`' if isinstance(value, str) else f"{value:g}"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(current(PAGE.read_text("utf-8")), "utf-8")
