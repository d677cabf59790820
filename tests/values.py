"""Values that may come from a file, the command line or a script where another one was meant."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st


def anything() -> st.SearchStrategy[Any]:
    """Numbers of every size and type, texts, names, and lists and tables of all these."""
    numbers = st.one_of(
        st.floats(),
        st.integers(),
        st.sampled_from([10**400, -(10**400), -0.0, np.float32(3), np.int8(3), np.bool_(True), np.array([1.0, 2.0])]),
    )
    words = st.sampled_from(["boid", "hawk", "metric", "everyone", "#e8d9a0", "", "5", "\x00"])
    simple = st.one_of(st.none(), st.booleans(), numbers, words, st.text(max_size=5), st.binary(max_size=3))
    return st.recursive(
        simple,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.tuples(inner, inner),
            st.dictionaries(st.text(max_size=3), inner, max_size=2),
        ),
        max_leaves=5,
    )
