"""Overlays in the picture that `boids run` draws: built-in ones, those of mods, and what happens to one that fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import sandbox
from components.store.fields import AMOUNT_SCALE
from sandbox.app.drawing.picture import picture_of
from sandbox.app.viewer import Viewer
from sandbox.simulation import Simulation
from tests.bundled import opened
from tests.command_line import boids
from tests.mods import write_mod

FIELD = """
from sandbox.api import Overlay

class Field(Overlay):
    name, title, help, under = "field", "Field", "a field", True

    def draw(self, canvas, session):
        canvas.picture([[0, 1]], [(0, 0, 0, 0), (255, 0, 0, 255)], smooth=False)
        {more}

def install(app):
    app.add_overlay(Field())
"""


def pixels(simulation: Simulation, path: Path, viewer: Viewer | None = None) -> np.ndarray:
    under, over = viewer.layers() if viewer else (None, None)
    path.write_bytes(picture_of(simulation, (320, 180), under=under, over=over))
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def test_the_ink_of_the_mod_is_seen_where_it_is(tmp_path: Path) -> None:
    with opened("ink", "ink") as simulation:
        paper: Any = simulation.world.resource(simulation.world.declared["Paper"])
        laid = np.zeros((180, 320), np.int64)
        laid[:90, 160:] = AMOUNT_SCALE  # the first line is the lowest
        paper.ink = laid
        seen = pixels(simulation, tmp_path / "a.png", Viewer(simulation, ["ink.ink"]))
        change = np.abs(seen - pixels(simulation, tmp_path / "b.png")).sum(-1)
    assert np.median(change[95:, 165:315]) > 50
    assert np.median(change[:85]) == 0 == np.median(change[:, 5:155])


def test_what_an_overlay_noted_of_every_tick_is_drawn(tmp_path: Path) -> None:
    with sandbox.load("ronan") as simulation:
        viewer = Viewer(simulation, ["trails", "heat"])
        for _ in range(60):
            simulation.step()
            viewer.take()
        seen = pixels(simulation, tmp_path / "a.png", viewer) != pixels(simulation, tmp_path / "b.png")
    assert seen.any(-1).mean() > 0.05


def test_an_overlay_that_fails_stops_its_mod_and_leaves_the_picture_whole(tmp_path: Path) -> None:
    mod = write_mod(tmp_path / "field", FIELD.replace("{more}", "1 / 0"))
    with sandbox.load("ronan", mods=[mod]) as simulation:
        viewer = Viewer(simulation, ["field.field"])
        before = pixels(simulation, tmp_path / "b.png")
        assert (pixels(simulation, tmp_path / "a.png", viewer) == before).all()
        viewer.take()
        assert [fault.mod for fault in simulation.mods.faults] == ["field"]


def test_one_that_nobody_knows_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with sandbox.load("ronan") as simulation, pytest.raises(ValueError, match=r"no overlay 'het'; did you mean 'heat'"):
        Viewer(simulation, ["het"])


def test_the_command_line_draws_it(tmp_path: Path) -> None:
    mod = write_mod(tmp_path / "field", FIELD.replace("{more}", "pass"))
    arguments = ["run", "ronan", "--ticks", "3", "--mod", str(mod), "--picture", str(tmp_path / "a.png")]
    ran = boids(*arguments, "--overlay", "field.field")
    assert ran.returncode == 0, ran.stderr
    with Image.open(tmp_path / "a.png") as picture:
        seen = np.asarray(picture.convert("RGB")).astype(int)
    width = seen.shape[1]
    assert np.median(seen[:, width // 2 + 5 :], axis=(0, 1)).tolist() == [255, 0, 0]
    assert np.median(seen[:, : width // 2 - 5, 0]) < 200
    ran = boids("run", "ronan", "--overlay", "heat")
    assert (ran.returncode, ran.stderr.strip()) == (1, "boids: --overlay needs --picture: it is drawn there")
