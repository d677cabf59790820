"""Pages that tell what the program has with all extras."""

from __future__ import annotations

import runpy

from tests.command_line import ROOT


def test_the_page_for_newcomers_tells_every_key_and_that_of_depth_those_of_its_own() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "keys_table.py"))
    for file, deep in tool["PAGES"].items():
        page = file.read_text("utf-8")
        assert tool["current"](page, deep) == page, "run python tools/keys_table.py"
