"""What is to be drawn, as plain arrays."""

import numpy as np

from components.motion import Velocity
from systems import render
from systems.core.pipeline import Phase
from systems.render import Drawing
from tests.worlds import run, world_of


def test_what_does_not_move_has_no_heading_even_in_the_row_of_one_that_did():
    world = world_of([render.install])
    world.spawn("boid", 2, {"Velocity.x": 30.0, "Velocity.y": 40.0})
    world.remove(int(world.table.entity[0]), Velocity)
    run(world, Phase.RENDER)
    drawing = world.resource(Drawing)
    assert drawing.instances["heading"][: drawing.count].tolist() == [[0, 0], [30, 40]]
    assert np.all(drawing.instances["size"][: drawing.count] > 0)
    world.close()
