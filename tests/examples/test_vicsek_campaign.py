"""Vicsek: the more everyone errs, the less the flock agrees on a heading (Vicsek et al. 1995, figure 2)."""

from __future__ import annotations

import numpy as np
import pytest

from tools.model_sweeps import NOISES, VICSEK_SEEDS, polarization, vicsek_sweep


def test_little_noise_leaves_order_and_much_none():
    assert polarization(40, 1) > 0.9
    assert polarization(280, 1) < 0.3


@pytest.mark.verify
def test_polarization_falls_as_noise_grows():
    found = vicsek_sweep()
    assert found.shape == (len(NOISES), 8) == (len(NOISES), len(VICSEK_SEEDS))
    mean, error = found.mean(axis=1), found.std(axis=1, ddof=1) / np.sqrt(8)
    assert mean[0] > 0.9
    assert mean[-1] < 0.3
    rise = np.diff(mean) / np.maximum(np.hypot(error[1:], error[:-1]), 1e-9)
    assert rise.max() < 2, f"polarization {mean} with errors {error} over noises {NOISES}"
