"""What is to be drawn, as plain arrays."""

import numpy as np

from components.look import Look
from components.motion import Position, Velocity
from components.store.prefab import Prefab
from systems.engine.system import Phase
from systems.view import render
from systems.view.render import Drawing
from tests.worlds import run, world_of


def test_what_does_not_move_has_no_heading_even_in_the_row_of_one_that_did():
    world = world_of([render.install])
    drawn = {component.__name__: {} for component in (Position, Velocity, Look)}
    world.prefabs["bird"] = Prefab("bird", drawn)
    world.spawn("bird", 2, {"Velocity.x": 30.0, "Velocity.y": 40.0})
    world.remove(int(world.table.entity[0]), Velocity)
    run(world, Phase.RENDER)
    drawing = world.resource(Drawing)
    assert drawing.instances["heading"][: drawing.count].tolist() == [[0, 0], [30, 40]]
    assert np.all(drawing.instances["size"][: drawing.count] > 0)
    world.close()
