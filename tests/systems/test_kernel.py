"""Kernels are compiled when they are first called."""

from __future__ import annotations

import numpy as np

from systems.engine.kernel import kernel


@kernel
def weight(records):
    return records[0].weight


def test_a_kernel_may_bear_the_name_of_a_field_that_it_reads():
    assert weight(np.array([(2.5,)], [("weight", np.float32)])) == 2.5
