"""Magnets attract everything that moves: a = sum of strength * unit(magnet - p) over the magnets nearer than radius."""

from sandbox.api import App, FieldsPanel, Motion, Phase, Placing, Position, Settings, System, World
from sandbox.api import by_serial, component, kernel, number, torus_of, toward, unit

PLACE, FORCE = ("Position.x", "Position.y"), ("Magnet.strength", "Magnet.radius")
PULL = "Motion.acceleration.x", "Motion.acceleration.y"


@component
class Magnet:
    """Attracts everything that moves within its radius."""

    strength: float = number(250, "u/s²", -2000, 2000, "how hard it pulls; below 0 it pushes")
    radius: float = number(150, "u", 0, 1e4, "how far away it is felt")


class Magnetism(System):
    """Accelerates everything that moves towards the magnets in whose radius it is."""

    phase = Phase.STEER
    needs = (Magnet,)
    reads = (*PLACE, Magnet, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        table = world.table
        magnets = table.rows(Position, Magnet)
        if len(magnets):
            movers, columns = table.rows(Position, Motion), (table.columns[key] for key in (*PLACE, *FORCE, *PULL))
            attract(movers, by_serial(world, magnets), *columns, torus_of(world))


@kernel
def attract(movers, magnets, x, y, strength, radius, pull_x, pull_y, torus):
    for mover in movers:
        for magnet in magnets:
            dx, dy = toward(x[mover], x[magnet], torus[0]), toward(y[mover], y[magnet], torus[1])
            if dx * dx + dy * dy < radius[magnet] * radius[magnet]:
                ux, uy = unit(dx, dy)
                pull_x[mover] += strength[magnet] * ux
                pull_y[mover] += strength[magnet] * uy


PREFABS = """
[prefabs.magnet]
help = "draws those around to it"
Position = {}
Magnet = {}
Look = { shape = "dot", colour = "#e8504a", size = 8 }
"""


def install(app: App) -> None:
    app.add_component(Magnet)
    app.add_system(Magnetism)
    app.add_prefabs(PREFABS)
    app.add_tool(Placing("magnet", "Magnet", "\uf076", "Places a magnet; drag for a row of them.", "Magnet"))
    app.add_panel(FieldsPanel("magnets", "Magnets", prefabs={"magnet": ("Magnet",)}))
