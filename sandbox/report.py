"""The report of `boids run`: a table or JSON, and the measures of every tick as CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sandbox.files import write_atomically
from sandbox.record import of_somebody
from sandbox.simulation import Simulation
from sandbox.terminal import say, show_table


def report_of(simulation: Simulation, ticks: int, seconds: float, problems: Sequence[str]) -> dict[str, Any]:
    """Return everything about a run, as `run --json` prints it; `seconds` is the time of all ticks but the first.

    Args:
        problems: why mods that should be on are not.
    """
    measures = {name: _json_number(value) for name, value in simulation.measures().items()}
    timed = ticks - 1
    return {
        "scene": simulation.scene.name,
        "seed": simulation.world.seed,
        "ticks": ticks,
        "ticks_per_second": timed / seconds if timed > 0 else None,
        "ms_per_system": {
            s.name: s.nanoseconds / 1e6 / timed for s in simulation.pipeline.systems if s.nanoseconds and timed > 0
        },
        "metrics": measures,
        "mods": {name: str(mod.manifest.version) for name, mod in simulation.mods.mods.items()},
        "faults": [*problems, *(fault.sentence for fault in simulation.mods.faults)],
        "digest": simulation.digest(),
    }


def _json_number(value: Any) -> Any:
    """Return a measure as a JSON number, None if it is infinite or undefined, such as the mean of no entities."""
    number = value.item() if isinstance(value, np.generic) else value
    return number if number is not None and math.isfinite(number) else None


def print_report(report: Mapping[str, Any], as_json: bool) -> None:
    """Print a report as a table, or as one JSON object."""
    if as_json:
        print(json.dumps(report))
        return
    speed = report["ticks_per_second"]
    say(f"{report['scene']}, seed {report['seed']}, {report['ticks']} ticks", end="")
    print(f", {speed:.0f} ticks per second" if speed else "")
    measures = [
        (name, "no number (infinite or undefined)" if value is None else f"{value:.6g}")
        for name, value in report["metrics"].items()
        if of_somebody(name, [value])
    ]
    times = [(f"{name} (ms per tick)", f"{ms:.3f}") for name, ms in report["ms_per_system"].items()]
    show_table(("measure", "value"), [*measures, *times])
    print(f"digest {report['digest']}")


def write_measures(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write the measures of every tick as CSV: empty where nothing was measured.

    Raises:
        WriteError: it can't be written; an existing file is unchanged.
    """
    text = io.StringIO()
    known = dict.fromkeys(key for row in rows for key in row)
    columns = [name for name in known if of_somebody(name, (row.get(name, 0) for row in rows))]
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _json_number(value) for name, value in row.items()})
    write_atomically(path, text.getvalue().encode())
