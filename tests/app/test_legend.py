"""What the animals' colours mean stands beside them."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import key
from imgui_bundle import imgui
from numpy.typing import NDArray

from sandbox.design.scene import Entry
from sandbox.render.colour_scales import PALETTE
from sandbox.render.tints import GREYED, TINTS, coloured
from sandbox.scenes.bundled import bundled_scenes
from sandbox.scenes.reader import read_scene

from .conftest import OpenWindow, at, drifting, pixels, screen
from .mouse import hit
from .widgets import look


def test_each_colouring_but_their_own_has_a_legend(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20)), (1000, 600))
    assert not set(TINTS) & set(look(window).texts)
    for tint in (*TINTS[1:], *TINTS[:2]):
        hit(window, key.B)
        window.on_update(0.01)
        window.session.messages.log.clear()
        assert [text for text in look(window).texts if text in TINTS] == ([] if tint == TINTS[0] else [tint])


def test_a_ramp_says_what_its_ends_stand_for(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20, speed=(10, 10))), (1000, 600))
    for _ in range(TINTS.index("speed")):
        hit(window, key.B)
    window.on_update(0.01)
    texts = look(window).texts
    low, high = texts[texts.index("speed") + 1 :][:2]
    assert float(low) < float(high.removesuffix(" u/s"))


def test_what_stands_below_both_ends_finds_room(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20)), (1000, 600))
    for _ in range(TINTS.index("energy")):
        hit(window, key.B)
    window.on_update(0.01)
    texts = look(window).texts
    low, high = texts[texts.index("energy") + 1 :][:2]
    legend = imgui.internal.find_window_by_name("##legend")
    assert legend.size.x > sum(imgui.calc_text_size(text).x for text in (low, high)) + 2 * legend.window_padding.x + 8


@pytest.mark.parametrize("colouring", ["energy", "age"])
def test_it_says_why_none_has_a_colour_where_nobody_has_what_they_are_coloured_by(
    open_on: OpenWindow, colouring: str
) -> None:
    window = open_on(drifting(Entry("red", 20)), (1000, 600))
    for _ in range(TINTS.index(colouring)):
        hit(window, key.B)
    window.on_update(0.01)
    assert (
        f"No animal here has {'energy' if colouring == 'energy' else 'an age'}: none has a colour."
        in look(window).texts
    )


def test_in_the_first_frame_it_is_as_wide_as_what_it_shows(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20)), (1000, 600))
    sizes = []
    for _ in TINTS[1:]:
        hit(window, key.B)
        window.on_update(0.01)
        for _ in range(3):
            window.on_draw()
            legend = imgui.internal.find_window_by_name("##legend")
            sizes.append((legend.size.x, legend.size.y))
    assert all(len(set(sizes[n : n + 3])) == 1 for n in range(0, len(sizes), 3))
    assert len(set(sizes)) > 2


def test_for_flocks_it_says_how_many_there_are_and_how_many_the_largest_has(open_on: OpenWindow) -> None:
    lines = [*(at(100 + 10 * n, 100) for n in range(7)), *(at(100 + 10 * n, 200) for n in range(4)), at(500, 300)]
    window = open_on(drifting(*lines), (1000, 600))
    for _ in range(TINTS.index("flock")):
        hit(window, key.B)
    window.on_update(0.01)
    texts = look(window).texts
    assert "2 flocks, the largest of 7" in texts
    assert "Those without a colour are in none." in texts


@pytest.mark.parametrize(("count", "share"), [(2, ""), (12, "; several share a colour")])
def test_where_there_are_more_flocks_than_colours_it_says_that_several_share_one(
    open_on: OpenWindow, count: int, share: str
) -> None:
    scene = drifting(*(at(150 + 10 * n, 25 + 25 * flock) for flock in range(count) for n in range(4)))
    window = open_on(scene, (1000, 600))
    for _ in range(TINTS.index("flock")):
        hit(window, key.B)
    window.on_update(0.01)
    assert f"{count} flocks, the largest of 4{share}" in look(window).texts


@pytest.mark.painted
@pytest.mark.parametrize("backdrop", ["dusk", "sea", "meadow", "noon"])
def test_for_flocks_it_shows_the_colours_that_are_drawn_that_of_the_largest_first(
    open_on: OpenWindow, backdrop: str
) -> None:
    sizes = {7: 100, 5: 200, 3: 300}  # members, and y
    scene = drifting(*(at(100 + 10 * n, y) for count, y in sizes.items() for n in range(count)))
    scene.settings.backdrop = backdrop
    window = open_on(scene)
    for _ in range(TINTS.index("flock")):
        hit(window, key.B)
    window.on_update(0.01)
    look(window)
    picture = screen(window)[::-1]
    legend = imgui.internal.find_window_by_name("##legend").rect()
    inside = picture[int(legend.min.y) : int(legend.max.y), int(legend.min.x) : int(legend.max.x)]
    codes = inside.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    first = {int(colour): int(np.nonzero(codes == colour)[1].min()) for colour in PALETTE if (codes == colour).any()}
    shown = sorted(first, key=first.__getitem__)
    assert len(shown) == len(sizes)
    animals, camera = pixels(window), window.session.camera
    for colour, y in zip(shown, sizes.values(), strict=True):
        column, row = (np.array([120, y]) - (camera.x, camera.y)) * camera.zoom + np.array(camera.screen) / 2
        animal = animals[int(row), int(column)].astype(float)
        wanted = np.array([colour >> bits & 255 for bits in (16, 8, 0)], float)
        assert np.abs(animal / animal.max() - wanted / wanted.max()).max() < 0.03, backdrop  # light is of each way
        assert 0.75 < animal.max() / wanted.max() <= 1.1


@pytest.mark.parametrize("width", [420, 1000])
def test_no_message_lies_over_it(open_on: OpenWindow, width: int) -> None:
    window = open_on(drifting(Entry("red", 20)), (width, 400))
    hit(window, key.B)
    window.session.messages.say("This is a sentence that is longer than what is left beside the legend, says a test.")
    window.on_update(0.01)
    look(window)
    boxes = [imgui.internal.find_window_by_name(name).rect() for name in ("##legend", "##toast0", "##toast1")]
    for legend, toast in ((boxes[0], boxes[1]), (boxes[0], boxes[2]), (boxes[1], boxes[2])):
        assert not legend.overlaps(toast)


def test_in_every_bundled_scene_who_is_in_no_flock_has_less_colour_than_any_flock() -> None:
    def strength(colours: NDArray[np.uint32]) -> NDArray[np.int64]:
        channels = np.stack([colours >> bits & 255 for bits in (16, 8, 0)]).astype(np.int64)
        return np.ptp(channels, axis=0)

    for path in bundled_scenes():
        values = [prefab.values() for prefab in read_scene(path).prefabs.values() if "Velocity" in prefab.components]
        own = np.array([each["Look.colour"] for each in values if "Look.colour" in each], np.uint32)
        greyed = coloured(own, np.full(len(own), GREYED, np.uint16), PALETTE)
        assert strength(greyed).max() < strength(PALETTE).min(), path.stem
