"""Generates the tables of mouse gestures and keys: all in docs/first-steps.md, those of depth alone in docs/depth.md.

`python tools/keys_table.py` brings the pages up to date; a test checks that they are.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = {ROOT / "docs" / "first-steps.md": False, ROOT / "docs" / "depth.md": True}
"""Pages with a table, and whether it is about worlds with depth."""
BEGIN, END = "<!-- keys: made by tools/keys_table.py -->", "<!-- end of keys -->"


def keys_table(deep: bool) -> str:
    """Return the content of the help panel, in Markdown; of worlds with depth only what flat ones have otherwise."""
    from sandbox.app.controls.help_lines import help_groups
    from sandbox.app.parts import BUILT_IN
    from sandbox.app.preferences import Preferences
    from sandbox.app.session.action import actions_of
    from systems.engine.app import installed

    actions = actions_of(installed(BUILT_IN))
    flat = help_groups(actions, Preferences(), deep=False)
    groups = help_groups(actions, Preferences(), deep=True) if deep else flat
    lines = ["| input | does |", "|---|---|"]
    for heading, rows in groups.items():
        told = [row for row in rows if not (deep and row in flat[heading])]
        lines += [f"| **{heading}** | |"] if told else []
        for row in told:
            inputs = ", ".join(f"`{key}`" for key in row.inputs) if row.keys else ", ".join(row.inputs)
            lines.append(f"| {_cell(inputs)} | {_cell(row.does)} |")
    return "\n".join(lines)


def current(page: str, deep: bool) -> str:
    """Return the page with an up-to-date table."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n{keys_table(deep)}\n\n{END}{rest.split(END)[1]}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("ARCADE_HEADLESS", "True")
    for page, deep in PAGES.items():
        page.write_text(current(page.read_text("utf-8"), deep), "utf-8")
