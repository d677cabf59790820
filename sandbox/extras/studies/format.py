"""The format of study files: their keys and allowed values."""

from __future__ import annotations

from components.store.declare import integer, number
from components.store.fields import declared
from sandbox.design.scene import MOST_SEED
from sandbox.toml.paths import InnerPath, OwnPath
from sandbox.toml.schemas import Anything, Many, Name, One, Table, Text

FORMAT = 1
KINDS = ("grid", "latin", "sobol", "list")
MOST_RUNS = 10_000_000
MOST_LEVELS = 10_000


class _Keys:
    """The numbers of a study file."""

    format: int = integer(FORMAT, "", FORMAT, FORMAT, "of study files")
    ticks: int = integer(600, "", 1, 1_000_000_000, "how long a run is")
    seed: int = integer(0, "", 0, MOST_SEED, "determines seeds and drawn designs")
    seeds: int = integer(1, "", 1, 1_000_000, "runs of each point of the design")
    samples: int = integer(64, "", 1, 1_000_000, "how many points are drawn")
    every: int = integer(60, "ticks", 1, 1_000_000_000, "how often is measured")
    after: int = integer(0, "ticks", 0, 1_000_000_000, "earlier ticks are not in the summary")
    until: int = integer(1, "ticks", 1, 1_000_000_000, "later ticks are not in the summary")
    low: float = number(0, "", -1e15, 1e15, "where a range begins")
    high: float = number(1, "", -1e15, 1e15, "where it ends")
    steps: int = integer(2, "", 2, MOST_LEVELS, "how many values a grid takes of it")


K = declared(_Keys)
RANGE = Table({"from": One(K["low"]), "to": One(K["high"]), "steps": One(K["steps"])}, required=("from", "to"))
MEASURE = Table(
    {
        "every": One(K["every"]),
        "after": One(K["after"]),
        "until": One(K["until"]),
        "columns": Many(Text("a measure"), "names of measures"),
        "summary": Anything(),
        "stop": Text("a measure compared with a number"),
    },
    required=("columns",),
)
DESIGN = Table(
    {
        "kind": Name("design", KINDS),
        "samples": One(K["samples"]),
        "file": InnerPath("a CSV file with a column for each key, in the folder of the study"),
    },
    required=("kind",),
)
STUDY = Table(
    {
        "format": One(K["format"]),
        "scene": OwnPath("the name of a scene, or its file"),
        "ticks": One(K["ticks"]),
        "seed": One(K["seed"]),
        "seeds": Anything(),
        "vary": Anything(),
        "design": DESIGN,
        "measure": MEASURE,
    },
    required=("format", "scene", "ticks", "measure"),
)
