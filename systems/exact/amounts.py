"""Rates and times as whole units, of which nothing is lost."""

from __future__ import annotations

import numpy as np

from components.store.fields import AMOUNT_SCALE
from systems.engine.kernel import inlined

f64, i64 = np.float64, np.int64


def elapsed(tick: int, tick_rate: int) -> int:
    """How long a tick takes, in units of 1 / AMOUNT_SCALE s: those of any second together are AMOUNT_SCALE exactly."""
    return (tick + 1) * AMOUNT_SCALE // tick_rate - tick * AMOUNT_SCALE // tick_rate


@inlined
def per_tick(rate, tick_rate):
    """A rate per s as units of 1 / AMOUNT_SCALE in a tick, int64."""
    return i64(np.floor(f64(rate) * AMOUNT_SCALE / tick_rate + 0.5))
