"""Runs one run of a study: a world from its beginning to its end, with measurements."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.design.scene import Scene
from sandbox.extras.studies.study import Study, Value
from sandbox.extras.studies.world import world_of
from sandbox.record import Recorder
from sandbox.warning import SandboxWarning

ENDS = ("ticks", "stop", "failed")
LONGEST_WHY = 1000  # characters


@dataclass(frozen=True)
class Result:
    """The result of a run.

    Attributes:
        run: the number of the run.
        digest: the digest of the world at its end; empty if it failed.
        ticks: the number of ticks run.
        ended: one of ENDS.
        why: the condition that stopped it, or the error; else empty.
        seconds: the time that it took.
        summary: a number for each of the study's `summaries`, NaN if nothing was measured.
        series: by column, a value for each measurement; has a column "tick".
    """

    run: int
    digest: str
    ticks: int
    ended: str
    why: str
    seconds: float
    summary: Sequence[float]
    series: Mapping[str, Sequence[float]]


def run_one(study: Study, scene: Scene, run: int, values: Mapping[str, Value], seed: int) -> Result:
    """Run a run; an error in the world becomes a result with `ended` "failed"."""
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SandboxWarning)
        try:
            return _run(study, scene, run, values, seed, begin)
        except Exception as error:  # of a mod or a value; other runs go on
            why = f"{error}".splitlines()[0] if f"{error}" else type(error).__name__
            return _failed(study, run, why[:LONGEST_WHY], time.perf_counter() - begin)


def died(study: Study, run: int) -> Result:
    """Return the result of a run whose process has died repeatedly."""
    return _failed(study, run, "the process running it crashed", 0.0)


def _failed(study: Study, run: int, why: str, seconds: float) -> Result:
    return Result(run, "", 0, "failed", why, seconds, [math.nan] * len(study.summaries), {})


def _run(study: Study, scene: Scene, run: int, values: Mapping[str, Value], seed: int, begin: float) -> Result:
    ended, why = "ticks", ""
    with world_of(scene, values, seed) as simulation:
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
        series = {name: record[name].tolist() for name in ("tick", *study.columns)}
        digest, ticks = simulation.digest(), simulation.tick
    last = study.until or study.ticks
    counted = [place for place, tick in enumerate(series["tick"]) if study.after < tick <= last]
    summary = [statistic(name, [series[column][place] for place in counted]) for column, name in study.summaries]
    return Result(run, digest, ticks, ended, why, time.perf_counter() - begin, summary, series)


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
