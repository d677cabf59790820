"""Magnets attract everything that moves: a = sum of strength * unit(magnet - p) over the magnets nearer than radius."""

from sandbox.api import App, FieldsPanel, Motion, Phase, Placing, Position, Settings, System, World
from sandbox.api import accelerate, by_serial, component, data_of, dot, for_each_row, number, read, scaled
from sandbox.api import torus_of, toward, unit


@component
class Magnet:
    """Attracts everything that moves within its radius."""

    strength: float = number(250, "u/s²", -2000, 2000, "how hard it pulls; below 0 it pushes")
    radius: float = number(150, "u", 0, 1e4, "how far away it is felt")


class Magnetism(System):
    """Accelerates everything that moves towards the magnets in whose radius it is."""

    phase = Phase.STEER
    needs = (Magnet,)
    reads = (Position, Magnet, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        movers, magnets = world.table.rows(Position, Motion), world.table.rows(Position, Magnet)
        attract(movers, by_serial(world, magnets), data_of(self, world), torus_of(world))


@for_each_row
def attract(mover, magnets, data, torus):
    for row in magnets:
        magnet = data.magnet[row]
        offset = toward(read(data.position[mover]), read(data.position[row]), torus)
        if dot(offset, offset) < magnet.radius * magnet.radius:
            accelerate(data.motion[mover], scaled(unit(offset), magnet.strength))


PREFABS = """
[prefabs.magnet]
help = "draws those around to it"
Position = {}
Magnet = {}
Look = { shape = "dot", colour = "#e8504a", size = 8 }
"""


def install(app: App) -> None:
    app.add_system(Magnetism)
    app.add_prefabs(PREFABS)
    app.add_tool(Placing("magnet", "Magnet", "\uf076", "Places a magnet; drag for a row of them.", "Magnet"))
    app.add_panel(FieldsPanel("magnets", "Magnets", prefabs={"magnet": ("Magnet",)}))
