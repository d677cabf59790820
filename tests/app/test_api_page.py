"""docs/api.md is what the docstrings say."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_is_current() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "api_page.py"))
    assert tool["page"]() == (ROOT / "docs" / "api.md").read_text("utf-8"), "run python tools/api_page.py"
