"""docs/python.md: its examples run, one after the other; and what a script draws."""

from __future__ import annotations

import re
import sys
import types
from io import BytesIO
from pathlib import Path

import arcade
import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from PIL import Image

import sandbox
from tests.command_line import ROOT

BLOCKS = re.findall(
    r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
LIVE = "application/vnd.jupyter.widget-view+json"
WRITTEN = {"dusk.png", "dusk.boids", "dusk.toml", "milling.png", *(f"frame-{n:03}.png" for n in range(3))}


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    for block in BLOCKS:
        exec(compile(block, "docs/python.md", "exec"), module.__dict__)
        for told in re.findall(r"print\(.*\)  # (.*)", block):
            if told != "SHA-256 of the exact state":
                assert told in capsys.readouterr().out
    assert [module.frame.index.name, *module.frame.columns] == list(module.record)
    assert np.array_equal(module.frame["milling"], module.record["milling"], equal_nan=True)
    assert {path.name for path in tmp_path.iterdir()} == WRITTEN


@pytest.mark.verify
def test_as_a_notebook_it_runs_and_shows_the_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    cells = [nbformat.v4.new_code_cell(text) for text in (*BLOCKS, "sim.picture(size=(400, 300))")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    (shown,) = (cell for cell in cells if cell.source.strip() == "sim")
    assert {"image/png", LIVE} <= set(shown.outputs[0].data)
    assert "image/png" in cells[-1].outputs[0].data
    assert {path.name for path in tmp_path.iterdir()} == WRITTEN


def test_a_picture_is_an_image_and_a_file_and_changes_nothing(tmp_path: Path) -> None:
    with sandbox.new(size=(400, 300)) as sim:
        sim.spawn("fish", 20)
        before = sim.digest()
        picture = sim.picture(tmp_path / "fish.png", size=(200, 150))
        assert (picture.size, picture.mode) == ((200, 150), "RGB")
        with Image.open(tmp_path / "fish.png") as written:
            assert np.array_equal(np.asarray(written), np.asarray(picture))
        assert sim.picture().size == (1600, 1200)
        with Image.open(BytesIO(sim._repr_png_() or b"")) as shown:
            assert shown.size == (800, 600)
        assert sim.digest() == before
        for size in ((0, 5), (1.5, 3), (10, 10**9), (3,), 3):
            with pytest.raises(ValueError, match=r"must be (1 to 16,384 \(pixels\)|a whole number|two numbers)"):
                sim.picture(size=size)  # type: ignore[arg-type]
    assert sim._repr_png_() is None  # it is closed: a notebook shows its line of text


def test_pictures_leave_nothing_on_the_graphics_card() -> None:
    with sandbox.new() as sim:
        sim.picture(size=(64, 36))
        statistics = arcade.get_window().ctx.stats
        kinds = ("texture", "framebuffer", "buffer", "program")
        before = [getattr(statistics, kind) for kind in kinds]
        for _ in range(3):
            sim.picture(size=(64, 36))
        assert [created - freed for created, freed in (getattr(statistics, kind) for kind in kinds)] == [
            created - freed for created, freed in before
        ]
