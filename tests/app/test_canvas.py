"""The canvas: every kind of thing at its place of the world and as wide as it says, at any zoom and pixel ratio."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from arcade.gl.backends.opengl.texture import OpenGLTexture2D
from numpy.typing import NDArray

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.letters import extent
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.render.scenery import copies

from .conftest import OpenWindow, drifting

pytestmark = pytest.mark.painted

RED, GREEN, BLUE = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255)
WORLD = 640.0, 360.0
Picture = NDArray[np.uint8]
Drawn = Callable[..., Picture]


@pytest.fixture
def canvas(open_on: OpenWindow) -> Canvas:
    return Canvas(open_on(drifting()).ctx)


def camera_on(x: float = 320, y: float = 180, zoom: float = 1.0, screen: tuple[int, int] = (640, 360)) -> Camera:
    camera = Camera(WORLD, screen)
    camera.x, camera.y, camera.zoom = x, y, zoom
    return camera


def painted(canvas: Canvas, ratio: float = 1.0) -> Picture:
    """What is on it, over black: (height, width, 3), the first row lowest."""
    size = tuple(round(side * ratio) for side in canvas.camera.screen)
    target = canvas.context.framebuffer(color_attachments=[canvas.context.texture(size, components=3)])
    with target.activate():
        target.clear()
        canvas.draw()
        data = target.read(components=3)
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 3)


def where(picture: Picture, channel: int = 0, least: int = 128) -> NDArray[np.float64]:
    """The middles of the pixels in which a channel is strong, x and y, shape (n, 2)."""
    return np.argwhere(picture[..., channel] >= least)[:, ::-1] + 0.5


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize(("x", "y", "zoom"), [(320, 180, 1), (100, 60, 3.7), (250, 200, 0.4), (120.5, 90.25, 20)])
def test_a_ring_stands_around_its_place_at_any_zoom_and_ratio(
    canvas: Canvas, x: float, y: float, zoom: float, ratio: float
) -> None:
    camera = camera_on(x, y, zoom)
    canvas.begin(camera, None, ratio=ratio)
    place, radius = (x + 20 / zoom, y - 30 / zoom), 50 / zoom
    canvas.rings(place, radius, RED, 4, grow=3, halo=0)
    found = where(painted(canvas, ratio)) / ratio
    away = np.hypot(*(found - camera.project(place)).T)
    assert away.min() == pytest.approx(53 - 2, abs=1)
    assert away.max() == pytest.approx(53 + 2, abs=1)
    assert len(found) / ratio**2 == pytest.approx(2 * np.pi * 53 * 4, rel=0.1)


@pytest.mark.parametrize("zoom", [0.5, 1.0, 6.0])
def test_a_line_is_as_wide_at_any_zoom(canvas: Canvas, zoom: float) -> None:
    canvas.begin(camera_on(zoom=zoom), None)
    canvas.lines((320 - 100 / zoom, 180), (320 + 100 / zoom, 180), RED, 6)
    found = where(painted(canvas))
    assert np.ptp(found[:, 1]) + 1 == 6
    assert np.ptp(found[:, 0]) + 1 == pytest.approx(206, abs=1)  # its ends are round


def test_a_line_may_end_straight_so_that_those_of_a_chain_do_not_overlap(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    half = 255, 0, 0, 128
    canvas.lines([(100, 100), (200, 100)], [(200, 100), (300, 100)], half, 6, head=-1)
    row = painted(canvas)[100, :, 0].astype(int)
    assert row[:99].max() == 0
    assert np.abs(row[102:298] - 128).max() <= 2


def test_edges_are_smooth(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.lines((100, 100), (300, 160), RED, 3)
    levels = np.unique(painted(canvas)[..., 0])
    assert len(levels) > 10


@pytest.mark.parametrize("way", [(1, 0), (0, 1), (-1, 0), (0, -1), (0.6, 0.8), (-0.6, -0.8)])
def test_an_arrow_is_broad_where_it_points_to(canvas: Canvas, way: tuple[float, float]) -> None:
    canvas.begin(camera_on(), None)
    begin, ahead = np.array([320.0, 180.0]), np.array(way)
    canvas.arrows(begin, begin + 80 * ahead, RED, 3, head=16, halo=0)
    off = where(painted(canvas)) - begin
    along, across = off @ ahead, np.abs(off @ [-ahead[1], ahead[0]])
    assert along.max() == pytest.approx(80, abs=2)
    assert along.min() == pytest.approx(0, abs=2)
    assert across[along < 60].max() < 2.5
    assert across[along > 66].max() > 5
    assert across[along > 77].max() < 3


@pytest.mark.parametrize("fov", [30, 90, 180, 300, 359, 360])
@pytest.mark.parametrize("heading", [(1, 0), (0, -1), (-0.8, 0.6)])
def test_a_sector_covers_what_is_seen(canvas: Canvas, fov: float, heading: tuple[float, float]) -> None:
    canvas.begin(camera_on(), None)
    canvas.sectors((300, 170), heading, fov, 100, RED, GREEN, 0)
    picture = painted(canvas)
    y, x = np.mgrid[:360, :640] + 0.5
    away = np.hypot(x - 300, y - 170)
    ahead = ((x - 300) * heading[0] + (y - 170) * heading[1]) / away
    angle = np.degrees(np.arccos(np.clip(ahead, -1, 1)))
    border = np.minimum(np.abs(away - 100), away * np.radians(np.abs(angle - fov / 2)) if fov < 360 else np.inf)
    inside = (away < 100) & (angle <= fov / 2)
    assert ((picture[..., 0] > 128) == inside)[border > 1.5].all()
    assert picture[..., 1].max() == 0  # its line is of no width


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("fov", [30, 120, 180, 300])
@pytest.mark.parametrize("lean", [-60, 0, 90])
def test_a_sector_with_depth_is_the_outline_of_a_cone_of_a_ball(
    canvas: Canvas, fov: float, lean: float, parallel: bool
) -> None:
    camera = SpaceCamera((*WORLD, 500.0), (640, 360), parallel=parallel)
    camera.look_at(300, 170, 200)
    camera.zoom = 1.0
    canvas.begin(camera, None)
    right, up, toward = camera.axes
    slope = np.radians(lean)
    heading = np.cos(slope) * (0.6 * right + 0.8 * up) + np.sin(slope) * toward
    canvas.sectors((300, 170, 200), heading, fov, 100, RED, width=0)
    inside = painted(canvas)[..., 0] > 128
    x, y, z = np.mgrid[-110:110, -110:110, -100:100:2] + 0.5
    away = np.sqrt(x * x + y * y + z * z)
    along = (0.6 * x + 0.8 * y) * np.cos(slope) + z * np.sin(slope)
    seen = ((away < 100) & (along >= np.cos(np.radians(fov / 2)) * away)).any(axis=2).T
    shown = inside[180 - 110 : 180 + 110, 320 - 110 : 320 + 110]
    assert (seen != shown).sum() < 250  # about a quarter of the pixels of its border
    assert inside.sum() == shown.sum()


@pytest.mark.parametrize("sign", [1, -1])
def test_a_line_surrounds_the_blind_cone_before_or_behind_one_that_flies_at_the_viewer_or_away(
    canvas: Canvas, sign: int
) -> None:
    camera = SpaceCamera((*WORLD, 500.0), (640, 360), parallel=True)
    camera.zoom = 1.0
    canvas.begin(camera, None)
    canvas.sectors(camera.focus, sign * camera.axes[2], 300, 100, line=GREEN, width=3)
    away = np.hypot(*(where(painted(canvas), 1) - (320, 180)).T)
    assert (np.minimum(np.abs(away - 50), np.abs(away - 100)) < 3).all()
    assert (away < 60).sum() == pytest.approx(2 * np.pi * 50 * 3, rel=0.1)
    assert (away > 60).sum() == pytest.approx(2 * np.pi * 100 * 3, rel=0.1)


def test_without_a_heading_one_sees_all_round(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.sectors((300, 170), (0, 0), 90, 50, RED, width=0)
    assert len(where(painted(canvas))) == pytest.approx(np.pi * 50**2, rel=0.02)
    camera = SpaceCamera((*WORLD, 500.0), (640, 360), parallel=True)
    camera.zoom = 1.0
    canvas.begin(camera, None)
    canvas.sectors((300, 170, 200), (0, 0, 0), 90, 50, RED, width=0)
    assert len(where(painted(canvas))) == pytest.approx(np.pi * 50**2, rel=0.02)


def test_a_box_is_filled_and_framed(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.boxes((100, 50), (200, 150), RED, GREEN, 4)
    picture = painted(canvas)
    assert picture[100, 150].tolist() == [255, 0, 0]
    assert picture[100, 100].tolist() == [0, 255, 0]
    assert picture[150, 150].tolist() == [0, 255, 0]
    assert picture[100, 96].max() == picture[100, 204].max() == 0


def test_a_polyline_goes_from_point_to_point_and_back_when_closed(canvas: Canvas) -> None:
    corners = [(100, 100), (200, 100), (200, 200)]
    for closed in (False, True):
        canvas.begin(camera_on(), None)
        canvas.polyline(corners, RED, 4, closed=closed)
        picture = painted(canvas)
        assert picture[100, 150, 0] == picture[150, 200, 0] == 255
        assert (picture[150, 150, 0] > 128) == closed


def test_many_things_each_have_their_own_values(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.discs([(100, 100), (300, 100)], [10, 20], [RED, BLUE])
    picture = painted(canvas)
    assert len(where(picture, 0)) == pytest.approx(np.pi * 10**2, rel=0.05)
    assert len(where(picture, 2)) == pytest.approx(np.pi * 20**2, rel=0.05)


def test_what_can_be_seen_through_shows_what_is_under_it(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.boxes((0, 0), (640, 360), BLUE)
    canvas.discs((320, 180), 50, (255, 0, 0, 64))
    assert painted(canvas)[180, 320].tolist() == pytest.approx([64, 0, 191], abs=2)


def test_a_halo_darkens_a_light_ground_around_a_line(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.boxes((0, 0), (640, 360), (255, 255, 255, 255))
    canvas.lines((100, 100), (300, 100), (255, 255, 255, 255), 2, halo=0.8)
    column = painted(canvas)[90:110, 200, 0]
    assert column[9] > 240  # the line
    assert column.min() < 190
    assert column[0] == column[-1] == 255


def test_nothing_stays_from_the_frame_before(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.discs((320, 180), 50, RED)
    assert painted(canvas).max() == 255
    canvas.begin(camera_on(), None)
    assert painted(canvas).max() == 0


# ---- a world that repeats


def test_what_reaches_over_an_edge_comes_out_on_the_other_side(canvas: Canvas) -> None:
    canvas.begin(camera_on(), WORLD)
    canvas.discs((635, 4), 30, RED)
    picture = painted(canvas)
    assert picture[5, 630, 0] == picture[5, 10, 0] == picture[350, 630, 0] == picture[350, 10, 0] == 255
    assert len(where(picture)) == pytest.approx(np.pi * 30**2, rel=0.02)


def test_nothing_is_drawn_outside_a_world_that_repeats(canvas: Canvas) -> None:
    canvas.begin(camera_on(zoom=0.5), WORLD)
    canvas.discs((0, 180), 60, RED)
    canvas.arrows((630, 300), (700, 400), RED)
    found = where(painted(canvas))
    assert found.min(0).tolist() == pytest.approx([160, 90], abs=90)
    assert (found >= [160 - 1, 90 - 1]).all()
    assert (found <= [480 + 1, 270 + 1]).all()


def test_elsewhere_it_is_drawn_beyond_the_edge(canvas: Canvas) -> None:
    canvas.begin(camera_on(zoom=0.5), None)
    canvas.discs((0, 180), 60, RED)
    assert where(painted(canvas))[:, 0].min() == pytest.approx(130, abs=1)


def test_the_nearest_copy_of_a_place(canvas: Canvas) -> None:
    canvas.begin(camera_on(), WORLD)
    found = canvas.nearest([(10, 10), (630, 350), (320, 180)], (630, 20))
    assert found.tolist() == [[650, 10], [630, -10], [320, 180]]
    canvas.begin(camera_on(), None)
    assert canvas.nearest([(10, 10)], (630, 20)).tolist() == [[10, 10]]


def test_a_box_has_as_many_copies_as_are_seen() -> None:
    low, high = (
        np.array([(10, 10), (-5, 10), (630, 350), (-50, 20)]),
        np.array([(20, 20), (5, 20), (650, 370), (-40, 30)]),
    )
    which, shift = copies(low, high, WORLD)
    assert np.bincount(which).tolist() == [1, 2, 4, 1]
    assert shift[which == 0].tolist() == [[0, 0]]
    assert shift[which == 3].tolist() == [[640, 0]]


# ---- pictures


RAMP = [(0, 0, 0, 0), (255, 0, 0, 255), (0, 255, 0, 255)]


def test_a_picture_covers_the_world_with_the_first_line_at_the_bottom(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.picture([[0, 1, 2], [2, 1, 0]], RAMP, 2, smooth=False)
    seen = painted(canvas)
    assert seen[60, [100, 320, 540]].tolist() == [[0, 0, 0], [255, 0, 0], [0, 255, 0]]
    assert seen[300, [100, 320, 540]].tolist() == [[0, 255, 0], [255, 0, 0], [0, 0, 0]]


def test_a_picture_lies_where_it_is_said_to_and_nowhere_else(canvas: Canvas) -> None:
    camera = camera_on(200, 100, 2.5)
    canvas.begin(camera, None)
    canvas.picture([[1]], [(0, 0, 0, 0), (255, 0, 0, 255)], low=(180, 90), size=(50, 30), alpha=0.5)
    found = where(painted(canvas), least=100)
    low, high = camera.project((180, 90)), camera.project((230, 120))
    assert found.min(0) == pytest.approx(low, abs=1)
    assert found.max(0) == pytest.approx(high, abs=1)
    assert painted(canvas).max() == pytest.approx(128, abs=2)


def test_a_smooth_picture_goes_over_into_itself_over_the_border_of_a_torus_alone(canvas: Canvas) -> None:
    numbers = np.zeros((4, 8))
    numbers[:, 0] = 1
    at_border = []
    for torus in (None, WORLD):
        canvas.begin(camera_on(), torus)
        canvas.picture(numbers, [(0, 0, 0, 255), (255, 0, 0, 255)])
        at_border.append(int(painted(canvas)[180, 635, 0]))
    assert at_border[0] == 0
    assert at_border[1] > 60


def test_a_picture_lies_below_all_else_on_the_canvas(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.boxes((300, 160), (340, 200), BLUE)
    canvas.picture([[1]], [(255, 0, 0, 255)])
    assert painted(canvas)[180, [100, 320]].tolist() == [[255, 0, 0], [0, 0, 255]]


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize(("plane", "second", "size"), [("picture", 1, 360), ("floor", 2, 500)])
def test_a_picture_lies_on_the_floor_or_the_back_of_a_world_with_depth(
    canvas: Canvas, plane: str, second: int, size: float, parallel: bool
) -> None:
    camera = SpaceCamera((*WORLD, 500.0), (640, 360), pitch=0.6, parallel=parallel)
    canvas.begin(camera, None)
    numbers = np.zeros((20, 20))
    numbers[13, 11] = 1
    canvas.picture(numbers, [(0, 0, 0, 0), (255, 0, 0, 255)], smooth=False, plane=plane)
    found = where(painted(canvas))
    corners = np.zeros((4, 3))
    corners[:, 0] = np.array([11, 12, 11, 12]) / 20 * 640
    corners[:, second] = np.array([13, 13, 14, 14]) / 20 * size
    ends = camera.project(corners)
    assert found.min(0) == pytest.approx(ends.min(0), abs=1.5)
    assert found.max(0) == pytest.approx(ends.max(0), abs=1.5)


@pytest.mark.parametrize(("numbers", "colours"), [([1, 2], RAMP), ([[1]], [(1, 2, 3)]), ([[]], RAMP), ([[1]], [])])
def test_a_picture_of_another_shape_is_refused(canvas: Canvas, numbers: object, colours: object) -> None:
    canvas.begin(camera_on(), None)
    with pytest.raises(ValueError, match=r"a picture takes numbers \(lines, columns\) and colours \(n, 4\)"):
        canvas.picture(numbers, colours)  # type: ignore[arg-type]


def test_a_picture_is_uploaded_once_and_again_only_where_it_changed(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    written: list[int] = []
    texture, write = type(canvas.context).texture, OpenGLTexture2D.write

    def making(*own: object, **named: object) -> object:
        made.append(own)
        return texture(*own, **named)

    def writing(own: OpenGLTexture2D, data: bytes) -> None:
        written.append(len(data))
        write(own, data)

    monkeypatch.setattr(type(canvas.context), "texture", making)
    monkeypatch.setattr(OpenGLTexture2D, "write", writing)
    narrow, wide, above = np.zeros((4, 8)), np.zeros((4, 20)), np.zeros((4, 8), np.float32)

    def frame() -> tuple[int, list[int]]:
        made.clear()
        written.clear()
        for _ in range(4):  # copies of a torus
            for layer, numbers in (("under", [narrow, wide]), ("over", [above])):
                canvas.begin(camera_on(), WORLD, layer=layer)
                for each in numbers:
                    canvas.picture(each, [(0, 0, 0, 0), (255, 0, 0, 255)])
                canvas.draw()
        return len(made), list(written)

    assert frame() == (6, [])  # numbers and colours
    assert frame() == (0, [])
    above[0, 0] = 1.0
    assert frame() == (0, [4 * 8 * 4])


# ---- texts


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize(("size", "grow"), [(40, 0), (0, 40), (20, 30)])
@pytest.mark.parametrize("zoom", [0.5, 2.0])
def test_a_text_stands_in_the_middle_of_its_place_as_high_as_it_says(
    canvas: Canvas, zoom: float, size: float, grow: float, ratio: float
) -> None:
    camera = camera_on(100, 60, zoom)
    canvas.begin(camera, None, ratio=ratio)
    canvas.text((110, 50), "HIH", size, RED, grow=grow, halo=0)
    ink = where(painted(canvas, ratio), least=100) / ratio
    high = size * zoom + grow
    assert ink.mean(axis=0) == pytest.approx(camera.project((110, 50)), abs=1.5)
    assert np.ptp(ink[:, 1]) == pytest.approx(0.71 * high, abs=2)  # a capital letter of the font
    assert 0.85 < np.ptp(ink[:, 0]) / extent("HIH", high)[0] < 1  # the letters' sides bear some space


def test_each_text_has_its_own_place_words_and_colour(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.text([(100, 100), (500, 300), (300, 200)], ["ab", "Ö 12", " "], 30, [RED, GREEN, BLUE], halo=0)
    picture = painted(canvas)
    for channel, place in ((0, (100, 100)), (1, (500, 300))):
        ink = where(picture, channel)
        assert len(ink) > 50
        assert (ink.min(axis=0) + ink.max(axis=0)) / 2 == pytest.approx(place, abs=1)
    assert not len(where(picture, 2))


def test_texts_of_more_letters_than_before_are_drawn_as_well(canvas: Canvas) -> None:
    for words in ("a", "b" * 40, "".join(map(chr, range(0x3B1, 0x3C9)))):
        canvas.begin(camera_on(), None)
        canvas.text((320, 180), words, 20, RED, halo=0)
        picture = painted(canvas)
        assert len(where(picture)) > 20 * len(set(words))


def test_a_text_over_the_edge_of_a_torus_stands_on_both_sides(canvas: Canvas) -> None:
    canvas.begin(camera_on(), WORLD)
    canvas.text((640, 180), "HH", 60, RED, halo=0)
    ink = where(painted(canvas))
    assert (ink[:, 0] < 50).sum() == pytest.approx((ink[:, 0] > 590).sum(), rel=0.05)
    assert ((ink[:, 0] < 50) | (ink[:, 0] > 590)).all()


def test_its_halo_makes_it_legible_on_white(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    canvas.boxes((0, 0), (640, 360), (255, 255, 255, 255))
    canvas.text((320, 180), "o", 60, (255, 255, 255, 255))
    dark = np.argwhere(painted(canvas).max(axis=2) < 160)
    assert len(dark) > 100
    assert np.abs(dark - (180, 320)).max() < 40


def test_a_list_of_texts_that_is_too_short_is_refused(canvas: Canvas) -> None:
    canvas.begin(camera_on(), None)
    with pytest.raises(ValueError, match="2 texts for 3 places"):
        canvas.text([(1, 1), (2, 2), (3, 3)], ["a", "b"])
