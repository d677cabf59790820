"""The sound of a film keeps pace with its pictures."""

from __future__ import annotations

from contextlib import closing
from fractions import Fraction

import numpy as np

from sandbox.app.drawing.picture import camera_on
from sandbox.app.sound.voices import RATE
from sandbox.extras.film.soundtrack import Soundtrack
from sandbox.simulation import Simulation
from tests.app.conftest import at, drifting


def test_the_sound_of_a_film_that_runs_faster_is_faster() -> None:
    scene = drifting(at(300, 200, (60, 0)), shape="bird")
    samples = {}
    for speed in (1, 4):
        with Simulation(scene, 1) as simulation, closing(Soundtrack(Fraction(0), Fraction(10 * speed))) as sound:
            sound.hear(simulation, camera_on(simulation, (640, 360)))
            for _ in range(8):
                simulation.step()
                sound.hear(simulation, camera_on(simulation, (640, 360)))
            samples[speed] = np.fromfile(sound.finish(Fraction(8, 10 * speed)), "<i2")
    assert len(samples[1]) == 2 * round(0.8 * RATE)
    assert len(samples[4]) == 2 * round(0.2 * RATE)
    middle, end = len(samples[4]) // 2, len(samples[4])
    assert np.std(samples[4][middle:]) > np.std(samples[1][middle:end])  # faster wings are louder
