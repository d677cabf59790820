"""A frame of a film has the pixels of a picture at the same tick, with and without glow."""

from __future__ import annotations

from contextlib import closing
from fractions import Fraction
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from sandbox.app.drawing.picture import picture_of
from sandbox.extras.film.cameras import View
from sandbox.extras.film.film import Film
from sandbox.extras.film.frames import frames
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation
from tests.app.conftest import at, drifting

SIZE = 640, 360


@pytest.mark.parametrize("glow", [False, True], ids=["plain", "glow"])
def test_film_and_picture_show_the_same_pixels(glow: bool) -> None:
    scene = drifting(at(160, 90), at(480, 270, prefab="green"), at(320, 180), size=20)
    scene.settings.backdrop = "night"
    with Simulation(scene, 1) as simulation:
        picture = Image.open(BytesIO(picture_of(simulation, SIZE, glow=glow)))
    film = Film("", (), Fraction(0), Fraction(1), 1, SIZE, View(), (), glow)
    with closing(Timeline(Simulation(scene, 1))) as timeline:
        frame = next(frames(film, timeline))
    np.testing.assert_array_equal(np.asarray(frame), np.asarray(picture.convert("RGB")))
