"""Pages that tell what the program has with all extras."""

from __future__ import annotations

import runpy

from tests.command_line import ROOT


def test_the_page_for_newcomers_tells_every_key() -> None:
    page = (ROOT / "docs" / "first-steps.md").read_text("utf-8")
    tool = runpy.run_path(str(ROOT / "tools" / "keys_table.py"))
    assert tool["current"](page) == page, "run python tools/keys_table.py"
