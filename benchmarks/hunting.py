"""Is there safety in numbers? Measures catches per prey for lone and flocking prey, by the predators' choice of target.

    .venv/bin/python benchmarks/hunting.py            # some minutes
    .venv/bin/python benchmarks/hunting.py --seeds 20 --seconds 120

World, prey and predators are the same; lone prey has strength 0 for alignment and cohesion. Caught prey is not
replaced. Prints one JSON object: by target, number of predators and kind of prey, the [mean, standard deviation] over
the seeds of the share of prey that was caught, and the ratio of the means.
"""

from __future__ import annotations

import argparse
import json
import statistics

from components.flock import Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.predation import Predator, Prey
from components.store.prefab import Prefab
from components.store.records import ComponentType
from sandbox.design.scene import Entry, Scene
from sandbox.simulation import Simulation
from systems.engine.ledger import Ledger
from systems.engine.settings import Settings

SIZE, PREY = 1000.0, 200
LONE = {"alignment_strength": 0, "cohesion_strength": 0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="runs of each (default 10)")
    parser.add_argument("--seconds", type=int, default=60, help="simulated time of a run (default 60)")
    given = parser.parse_args()
    table = {}
    for target in ("nearest", "centre"):
        for predators in (1, 4):
            lone, flocking = (
                [share_caught(target, predators, rules, seed, given.seconds) for seed in range(given.seeds)]
                for rules in (LONE, {})
            )
            table[f"{target}, predators: {predators}"] = {
                "lone": spread(lone),
                "flocking": spread(flocking),
                "ratio": round(statistics.mean(flocking) / max(statistics.mean(lone), 1e-9), 3),
            }
    print(json.dumps({"prey": PREY, "seeds": given.seeds, "seconds": given.seconds, "caught": table}, indent=2))


def spread(values: list[float]) -> list[float]:
    return [round(statistics.mean(values), 4), round(statistics.pstdev(values), 4)]


def share_caught(target: str, predators: int, rules: dict[str, object], seed: int, seconds: int) -> float:
    """Return the catches per prey of one run; for the first ten seconds predators rest, while the prey forms flocks."""
    prey = prefab(
        "prey", {Position: {}, Velocity: {}, Motion: {"min_speed": 50}, Perception: {}, Flocker: rules, Prey: {}}
    )
    motion, sight = {"min_speed": 50, "max_speed": 180}, {"radius": 150, "fov": 240}
    predator = prefab(
        "predator",
        {Position: {}, Velocity: {}, Motion: motion, Perception: sight, Predator: {"target": target, "digest": 1}},
    )
    scene = Scene(
        "hunting",
        seed=seed,
        settings=Settings(SIZE, SIZE, "wrap"),
        prefabs={"prey": prey, "predator": predator},
        entries=[Entry("prey", PREY), Entry("predator", predators)],
    )
    with Simulation(scene) as simulation:
        table, world = simulation.world.table, simulation.world
        rows = table.rows(Predator)
        table.columns["Predator.rest"][rows] = 10
        simulation.step(10 * world.resource(Settings).tick_rate)
        simulation.step(seconds * world.resource(Settings).tick_rate)
        return world.resources.get(Ledger, Ledger()).catches / PREY


def prefab(name: str, given: dict[ComponentType, dict[str, object]]) -> Prefab:
    return Prefab(
        name,
        {c.__name__: {key: c.fields[key].parse(value) for key, value in values.items()} for c, values in given.items()},
    )


if __name__ == "__main__":
    main()
