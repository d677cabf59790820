"""Real time becomes ticks: exact over hours, within the budget of a frame, honest about its speed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.clock import BUDGET, LONGEST_FRAME, SECOND, SPEEDS, Clock

FRAME = SECOND // 60


class Machine:
    """A clock whose ticks take `cost` ns of a time that only they make pass."""

    def __init__(self, cost: int = 0, **settings: int) -> None:
        self.time = self.ticks = 0
        self.cost = cost
        self.clock = Clock(now=lambda: self.time, **settings)

    def tick(self) -> None:
        self.time += self.cost
        self.ticks += 1

    def frame(self, elapsed: int = FRAME) -> int:
        return self.clock.frame(elapsed, self.tick)


@pytest.mark.parametrize("tick_rate", [1, 24, 60, 144, 1000])
@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("seconds", [100, pytest.param(600, marks=pytest.mark.verify)])
def test_not_one_tick_is_lost(tick_rate: int, speed: int, seconds: int) -> None:
    machine = Machine(tick_rate=tick_rate, speed=speed)
    for _ in range(seconds * 20):
        machine.frame(SECOND // 20)
    assert machine.ticks == seconds * tick_rate * speed // 100
    assert machine.clock.alpha == 0


def test_uneven_frames_make_the_same_ticks() -> None:
    machine = Machine()
    for elapsed in (1, 3_333_333, 29_999_999, 70_000_007, 96_666_660, 200_000_000, 100_000_000):
        machine.frame(elapsed)
        assert 0 <= machine.clock.alpha < 1
    assert machine.ticks == 30
    assert machine.clock.alpha == 0


def test_between_two_ticks_alpha_grows_evenly() -> None:
    machine = Machine(tick_rate=10)
    alphas = []
    for _ in range(12):
        machine.frame(SECOND // 40)
        alphas.append(round(machine.clock.alpha, 6))
    assert alphas == [0.25, 0.5, 0.75, 0.0] * 3


def test_a_frame_pays_until_its_budget_is_spent_and_forgives_the_rest() -> None:
    machine = Machine(cost=5_000_000, speed=1600)
    assert machine.frame() == 2  # a third would not end within the budget
    assert BUDGET < 15_000_000
    assert machine.clock.alpha < 1
    assert machine.frame(0) == 0


def test_a_tick_longer_than_the_budget_still_runs() -> None:
    machine = Machine(cost=10 * BUDGET)
    assert [machine.frame(FRAME + 1) for _ in range(5)] == [1] * 5


def test_a_long_pause_between_frames_is_not_made_up_for() -> None:
    machine = Machine()
    assert machine.frame(3600 * SECOND) == LONGEST_FRAME * 60 // SECOND


def test_time_that_runs_backwards_is_no_time() -> None:
    machine = Machine()
    assert machine.frame(-SECOND) == 0


def test_the_speed_reached_is_what_the_machine_can_do() -> None:
    slow = Machine(cost=25_000_000, speed=100)
    for _ in range(200):
        slow.frame(FRAME * 2)  # two ticks are due, one is paid
    assert slow.clock.reached() == pytest.approx(0.5, rel=0.02)
    quick = Machine(speed=400)
    assert quick.clock.reached() == 4
    for _ in range(200):
        quick.frame()
    assert quick.clock.reached() == pytest.approx(4, rel=0.02)


def test_while_paused_nothing_runs_and_the_fraction_stays() -> None:
    machine = Machine()
    machine.frame(FRAME * 3 // 2)
    alpha = machine.clock.alpha
    machine.clock.paused = True
    assert machine.frame(SECOND) == 0
    assert machine.clock.alpha == alpha
    machine.clock.paused = False
    assert machine.frame(FRAME) == 1


def test_a_single_tick_is_shown_itself_and_from_there_time_goes_on() -> None:
    machine = Machine()
    machine.frame(FRAME * 3 // 2)
    machine.clock.one_tick()
    machine.frame()
    shown = machine.ticks - 1 + machine.clock.alpha
    assert machine.clock.alpha == 1
    machine.clock.paused = False
    machine.frame(FRAME // 2)
    assert machine.ticks - 1 + machine.clock.alpha == pytest.approx(shown + 0.5)


@pytest.mark.parametrize("cost", [2, 20, 70, 150])
@pytest.mark.parametrize("speed", [10, 50, 100, 400])
@pytest.mark.parametrize("single", [True, False])
def test_ticks_that_run_beside_the_frames_are_shown_evenly_and_never_backwards(
    cost: int, speed: int, single: bool
) -> None:
    """The world that is shown is the one before until the tick has ended, so many milliseconds after it began."""
    clock, world, began, now, since = Clock(tick_rate=10, speed=speed), 1, -1, 0, 0

    def begin() -> bool:
        nonlocal began
        began = now
        return False

    if single:
        clock.one_tick()
        clock.frame(FRAME, lambda: True)
        clock.paused = False
    shown = [world - 1 + clock.alpha]
    for _ in range(600):
        now, since = now + FRAME, since + FRAME
        if began >= 0 and now - began >= cost * 1_000_000:
            began, world = -1, world + 1
        if began < 0:
            clock.frame(since, begin)
            since = 0
        if began >= 0:
            clock.during(now - began, cost * 1_000_000)
        shown.append(world - 1 + clock.alpha)
    steps = [late - early for early, late in pairwise(shown)]
    assert min(steps) >= -1e-9
    frames = -(-cost * 1_000_000 // FRAME)
    assert shown[-1] - shown[0] == pytest.approx(min(speed, 600 / frames), rel=0.1)
    assert max(steps[100:]) <= 3 * sum(steps[100:]) / len(steps[100:])


def test_a_change_of_speed_does_not_move_the_picture() -> None:
    clock = Clock(tick_rate=10)
    clock.frame(100_000_000, lambda: False)
    for passed in (0, 15_000_000):
        clock.during(passed, 30_000_000)
    clock.frame(70_000_000, lambda: False)
    clock.paused, shown = True, clock.alpha
    for speed in SPEEDS:
        clock.go_at(speed)
        clock.frame(FRAME, lambda: False)
        assert clock.alpha == shown
    assert shown == pytest.approx(0.4)


@pytest.mark.parametrize("speed", [10, 100, 400])
def test_after_a_single_tick_ticks_that_go_on_in_later_frames_keep_the_speed(speed: int) -> None:
    clock, ticks, alphas = Clock(tick_rate=10, speed=speed), [], set()  # type: Clock, list[int], set[float]

    def tick() -> bool:
        ticks.append(1)
        return False

    clock.one_tick()
    clock.frame(FRAME, tick)
    clock.paused = False
    for _ in range(181):
        clock.frame(FRAME, tick)
        alphas.add(round(clock.alpha, 1))
    assert len(ticks) - 1 == pytest.approx(181 * FRAME / SECOND * 10 * speed / 100, abs=1.1)
    assert len(alphas) > 2


def test_one_tick_pauses_and_the_next_frame_runs_one() -> None:
    machine = Machine(cost=3_000_000)
    machine.clock.one_tick()
    assert machine.clock.paused
    assert machine.frame(SECOND) == 1
    assert machine.clock.tick_ns == 3_000_000
    assert machine.frame(SECOND) == 0


def test_ticks_that_are_asked_for_faster_than_frames_come_do_not_pile_up() -> None:
    machine = Machine()
    for _ in range(10):
        machine.clock.one_tick()
    assert [machine.frame() for _ in range(3)] == [1, 0, 0]


def test_a_tick_that_was_asked_for_is_not_run_after_time_goes_on() -> None:
    machine = Machine()
    machine.clock.one_tick()
    machine.clock.paused = False
    machine.frame(0)
    machine.clock.paused = True
    assert machine.frame() == 0


def test_faster_and_slower_walk_through_the_speeds() -> None:
    clock = Clock()
    seen = []
    for _ in range(6):
        clock.faster()
        seen.append(clock.speed)
    assert seen == [200, 400, 800, 1600, 1600, 1600]
    for _ in range(9):
        clock.faster(-1)
    assert clock.speed == SPEEDS[0] == 2


def test_it_says_how_long_a_tick_takes() -> None:
    machine = Machine(cost=2_000_000, speed=200)
    machine.frame(FRAME + 1)
    assert machine.clock.tick_ns == 2_000_000


def test_an_overloaded_machine_shows_time_that_advances_evenly() -> None:
    machine, frame = Machine(cost=13_000_000), 27_000_000  # 1.62 ticks are due in each frame, one fits
    shown = []
    for _ in range(30):
        machine.frame(frame)
        shown.append(machine.ticks + machine.clock.alpha)
    steps = [after - before for before, after in pairwise(shown[2:])]
    assert max(steps) - min(steps) < 1e-9


@given(
    st.lists(st.tuples(st.integers(0, 60_000_000), st.integers(0, 30_000_000)), max_size=60), st.sampled_from(SPEEDS)
)
def test_shown_time_never_runs_backwards_nor_faster_than_it_should(frames: list[tuple[int, int]], speed: int) -> None:
    machine = Machine(speed=speed)
    before = 0.0
    for elapsed, cost in frames:
        machine.cost = cost
        machine.frame(elapsed)
        shown = machine.ticks + machine.clock.alpha
        assert before <= shown <= before + elapsed * speed * 60 / (100 * SECOND) + 1e-6
        assert 0 <= machine.clock.alpha < 1
        before = shown


def test_no_tick_is_begun_that_would_not_end_within_the_budget() -> None:
    machine = Machine(cost=BUDGET * 11 // 12, speed=400)
    for _ in range(5):
        before = machine.time
        machine.frame()
        assert machine.time - before <= BUDGET


def test_one_late_frame_does_not_make_the_next_ones_late() -> None:
    machine, refresh = Machine(cost=11_000_000), FRAME + 1
    elapsed = 2 * refresh
    for _ in range(20):
        begin = machine.time
        machine.frame(elapsed)
        worked = machine.time - begin + 2_000_000  # of this drawing takes 2 ms
        elapsed = -(-worked // refresh) * refresh
    assert elapsed == refresh


def test_one_unusually_slow_tick_holds_nobody_up_later() -> None:
    machine = Machine(cost=1_000_000, speed=400)
    machine.frame()
    machine.cost = 100_000_000
    machine.frame()
    machine.cost = 1_000_000
    assert machine.frame() == 4
