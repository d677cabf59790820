"""Buffers of frames are used again, and don't stay as large as the largest frame."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sandbox.render.room import IDLE, SPARE, Room, fits

COUNT = st.integers(1, 1_000_000)


@given(COUNT)
def test_what_is_made_for_a_count_serves_it_and_those_near_it(count: int) -> None:
    assert fits(SPARE * count, count)
    assert fits(SPARE * count, SPARE * count)
    assert fits(SPARE * count, count // 4)
    assert not fits(count - 1, count)


def test_a_room_is_used_again_and_given_back_after_a_crowd() -> None:
    room = Room()
    assert room.rows(1000).base is room.rows(900).base is room.rows(1800).base
    assert room.words(1000).base is room.words(900).base
    crowd = 1 << 16
    room.rows(crowd), room.words(crowd)
    assert len(room.rows(100).base) == SPARE * 100  # type: ignore[arg-type]
    assert room.words(IDLE).base.nbytes == SPARE * IDLE * 16  # type: ignore[union-attr]
