"""Runs one run of a study: a world from its beginning to its end, with measurements."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.design.scene import Scene
from sandbox.extras.studies.set_up import simulation_of
from sandbox.extras.studies.study import Study, Value
from sandbox.record import Recorder
from sandbox.warning import SandboxWarning

ENDS = ("ticks", "stop", "failed")
LONGEST_WHY = 1000  # characters
CRASHED = "the process running it crashed"


class Result(NamedTuple):
    """The result of a run.

    Attributes:
        run, seed: the number of the run, and its seed.
        key: see `Study.key`.
        ended: one of ENDS.
        why: the condition that stopped it, or the error; else empty.
        ticks: the number of ticks run.
        digest: the digest of the world at its end; empty if it failed.
        seconds: the time that it took.
        summary: a number for each of the study's `summaries`, NaN if nothing was measured.
        series: a row with the ticks of the measurements, and one for each of the study's columns, float64.
    """

    run: int
    seed: int
    key: str
    ended: str
    why: str
    ticks: int
    digest: str
    seconds: float
    summary: NDArray[np.float64]
    series: NDArray[np.float64]


def run_one(study: Study, scene: Scene, run: int, values: Mapping[str, Value], seed: int) -> Result:
    """Run a run; an error in the world becomes a result with `ended` "failed"."""
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SandboxWarning)
        try:
            ended, why, ticks, digest, series = _run(study, scene, values, seed)
        except Exception as error:  # of a mod or a value; other runs go on
            message = f"{error}".splitlines()[0] if f"{error}" else type(error).__name__
            return failed(study, run, values, seed, message, time.perf_counter() - begin)
    last = study.until or study.ticks
    counted = series[:, (series[0] > study.after) & (series[0] <= last)]
    rows = dict(zip(study.columns, counted[1:].tolist(), strict=True))
    summary = np.array([statistic(name, rows[column]) for column, name in study.summaries], np.float64)
    seconds = time.perf_counter() - begin
    return Result(run, seed, study.key(values, seed), ended, why, ticks, digest, seconds, summary, series)


def failed(
    study: Study, run: int, values: Mapping[str, Value], seed: int, why: str = CRASHED, seconds: float = 0.0
) -> Result:
    """Return the result of a run that failed; by default because its process has died repeatedly."""
    nothing = np.full(len(study.summaries), np.nan), np.zeros((len(study.columns) + 1, 0))
    return Result(run, seed, study.key(values, seed), "failed", why[:LONGEST_WHY], 0, "", seconds, *nothing)


def _run(
    study: Study, scene: Scene, values: Mapping[str, Value], seed: int
) -> tuple[str, str, int, str, NDArray[np.float64]]:
    """Return how and why the run ended, its ticks, its digest, and its series."""
    ended, why = "ticks", ""
    with simulation_of(scene, values, seed) as simulation:
        recorder = Recorder(simulation, study.columns)
        while simulation.tick < study.ticks:
            simulation.step(min(study.every, study.ticks - simulation.tick))
            if faults := simulation.mods.faults:
                ended, why = "failed", faults[0].sentence[:LONGEST_WHY]
                break
            if simulation.tick % study.every:
                break
            recorder.take()
            if study.stop is not None and study.stop.holds(recorder.newest):
                ended, why = "stop", str(study.stop)
                break
        record = recorder.record()
        series = np.array([record[name] for name in ("tick", *study.columns)], np.float64)
        return ended, why, simulation.tick, simulation.digest(), series


def statistic(name: str, values: Sequence[float]) -> float:
    """Return a statistic of values, with the same bits everywhere, because `math.fsum` is exactly rounded."""
    if not values:
        return math.nan
    if name in ("first", "last"):
        return values[0 if name == "first" else -1]
    if name in ("min", "max"):
        return (min if name == "min" else max)(values)
    mean = math.fsum(values) / len(values)
    if name == "mean":
        return mean
    if len(values) < 2:
        return math.nan
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
