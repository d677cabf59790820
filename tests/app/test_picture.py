"""Pictures without a display: the whole world, smooth, whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import arcade
import numpy as np
import pytest
from PIL import Image

from sandbox.app.drawing.picture import draw_picture
from sandbox.design.scene import Scene
from sandbox.simulation import Simulation

from .conftest import at, drifting
from .modded import write_mod

ROOT = Path(__file__).parents[2]


def drawn(scene: Scene, path: Path, size: tuple[int, int] | None = None) -> np.ndarray:
    with Simulation(scene) as simulation:
        draw_picture(simulation, path, size)
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture.convert("RGB")).astype(int)


def test_it_shows_the_whole_world_with_everyone_at_their_place(tmp_path: Path) -> None:
    picture = drawn(drifting(at(160, 90), at(480, 270, prefab="green")), tmp_path / "p.png")
    assert picture.shape == (900, 1600, 3)
    assert picture[900 - 225, 400, 0] > 200
    assert picture[900 - 675, 1200, 1] > 200
    assert picture[450, 800].max() < 130


@pytest.mark.parametrize("size", [(640, 360), (100, 300), (1, 1)])
def test_any_size_will_do(tmp_path: Path, size: tuple[int, int]) -> None:
    assert drawn(drifting(at(320, 180)), tmp_path / "p.png", size).shape == (size[1], size[0], 3)


def test_one_larger_than_the_graphics_card_can_smooth_is_drawn_all_the_same(tmp_path: Path) -> None:
    drawn(drifting(), tmp_path / "p.png", (8, 8))  # now there is a window
    most = arcade.get_window().ctx.info.MAX_TEXTURE_SIZE
    assert drawn(drifting(at(320, 180)), tmp_path / "p.png", (most // 2 - 8, 16)).shape == (16, most // 2 - 8, 3)


def test_edges_are_smooth(tmp_path: Path) -> None:
    picture = drawn(drifting(at(320, 180), size=50), tmp_path / "p.png", (640, 360))
    row = picture[180, 260:275, 0]
    assert ((row > row.min() + 20) & (row < row.max() - 20)).any()


def test_a_picture_that_can_not_be_written_leaves_the_old_one_whole(tmp_path: Path) -> None:
    with Simulation(drifting()) as simulation, pytest.raises(OSError, match="missing"):
        draw_picture(simulation, tmp_path / "missing" / "p.png")


MOD = "from sandbox.api import Canvas, Session\n\ndef install(app):\n    pass\n"


@pytest.mark.parametrize("python", ["", MOD], ids=["alone", "with a mod"])
def test_a_process_without_a_display_can_draw(tmp_path: Path, python: str) -> None:
    """Also one whose mods have asked for parts of the window before."""
    mods = [str(write_mod(tmp_path, python))] if python else []
    program = (
        "import sys, sandbox\n"
        "from sandbox.app.drawing.picture import draw_picture\n"
        "draw_picture(sandbox.load('ronan', mods=sys.argv[2:]), sys.argv[1], (320, 240))\n"
    )
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    if cache := os.environ.get("BOIDS_CACHE_DIR"):
        environment["BOIDS_CACHE_DIR"] = cache
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "p.png"), *mods], env=environment, check=True)
    with Image.open(tmp_path / "p.png") as picture:
        assert len(picture.convert("RGB").getcolors(maxcolors=1 << 20) or []) > 100
