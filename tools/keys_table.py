"""Generates the table of mouse gestures and keys in docs/first-steps.md.

`python tools/keys_table.py` brings the page up to date; a test checks that it is.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "first-steps.md"
BEGIN, END = "<!-- keys: made by tools/keys_table.py -->", "<!-- end of keys -->"


def keys_table() -> str:
    """Return the content of the help panel, in Markdown."""
    from sandbox.app.controls.help_lines import help_groups
    from sandbox.app.parts import BUILT_IN
    from sandbox.app.preferences import Preferences
    from sandbox.app.session.action import actions_of
    from systems.engine.app import installed

    lines = ["| input | does |", "|---|---|"]
    for heading, rows in help_groups(actions_of(installed(BUILT_IN)), Preferences()).items():
        lines.append(f"| **{heading}** | |")
        for row in rows:
            inputs = ", ".join(f"`{key}`" for key in row.inputs) if row.keys else ", ".join(row.inputs)
            lines.append(f"| {_cell(inputs)} | {_cell(row.does)} |")
    return "\n".join(lines)


def current(page: str) -> str:
    """Return the page with an up-to-date table."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n{keys_table()}\n\n{END}{rest.split(END)[1]}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("ARCADE_HEADLESS", "True")
    PAGE.write_text(current(PAGE.read_text("utf-8")), "utf-8")
