"""Draws the picture of a step of Explain: the entity in the middle, its surroundings, and the step's arrows."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.colours import Rgb, rgb_of
from sandbox.app.drawing.places import lengths
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.gui.chart_lines import legible
from sandbox.app.gui.theme import ROUNDING, Rgba
from sandbox.app.gui.ui import Ui
from sandbox.app.overlays.explained import SEEN_LINE, Stage, counted_in, draw_step, lit_in, turn_of
from sandbox.app.overlays.rule_colours import SUM
from sandbox.app.session.session import Session
from sandbox.app.walking import Walking
from sandbox.explain.steps import MOVE, Walk
from sandbox.explain.surroundings import Floats, Surroundings
from sandbox.explain.ways import Pose, seen_from
from sandbox.language import translate

PALE: Rgb = (176, 182, 204)
STONE: Rgb = (128, 120, 140)
GREEN: Rgb = (124, 198, 107)
LYING = 204  # opacity of obstacles and food, 0 to 255
FILLED = 0.86  # of half the picture: the radius of the surroundings shown
LONGEST = 0.8  # of half the picture: the length of the longest arrow
ANIMAL, DOT = 12.0, 3.5  # pixels: the length of a moving animal, the radius of one at rest
IN_VIEW, UNSEEN = 150, 90  # opacity of animals that do not count in this step, in the field of view and outside
ENLARGED = (1, 2, 5, 10, 20, 50)
WIDEST = 50.0  # degrees: the most to which a turn is enlarged


def draw_picture(session: Session, walking: Walking, found: Walk, size: tuple[float, float], ui: Ui) -> None:
    """Draw the current step of the walk as the next item of the panel; `size`: width and height, pixels."""
    (x, y), scale = ui.here, ui.scale
    ui.space(size)
    if found.why is None or found.around is None:
        return
    around, name = found.around, found.steps[walking.at].name
    screen = max(round(size[0] / scale), 1), max(round(size[1] / scale), 1)
    half, turn = min(screen) / 2, _turn(around.pose, walking.by_heading)
    camera = _camera(screen, FILLED * half / around.shown, len(turn))
    counted, times = counted_in(around, name), _enlargement(turn_of(found.why)) if name == MOVE else 1
    here, there = np.zeros((1, len(turn))), around.offsets[counted] @ turn
    ground = _integers(ui.theme.picture)
    stage = Stage(here, there, counted, turn, LONGEST * half, times, partial(_ink, ui.theme.picture), max(ground) < 128)

    def draw(canvas: Canvas) -> None:
        _surroundings(canvas, stage, around, name)
        draw_step(canvas, stage, found, walking.at)

    ratio = scale * ui.ratio
    of = found, walking.at, walking.by_heading, camera.screen, ratio, ground
    picture = session.services.sketch(of, camera, ratio, ground, draw)
    ui.pen.picture(picture, (x, y), (x + size[0], y + size[1]), ROUNDING * scale, upside_down=True)
    if around.radius:
        radius = f"{around.radius:,.0f} u"
        ui.pen.text((x + 6 * scale, y + size[1] - 20 * scale), legible(SEEN_LINE, ui.theme.picture), radius)
    if times > 1:
        words = translate("turn x {times}", times=times)
        ui.pen.text((x + 6 * scale, y + 4 * scale), legible(SUM, ui.theme.picture), words)


def _camera(screen: tuple[int, int], zoom: float, axes: int) -> AnyCamera:
    """Return a camera on the entity, at the origin; in a world with depth, it looks against the third axis."""
    if axes == 3:
        space = SpaceCamera((1.0, 1.0, 1.0), screen, yaw=0.0, pitch=0.0, parallel=True)
        space.look_at(0.0, 0.0, 0.0)
        space.zoom = zoom
        return space
    camera = Camera((1.0, 1.0), screen)
    camera.x, camera.y, camera.zoom = 0.0, 0.0, zoom
    return camera


def _turn(pose: Pose, by_heading: bool) -> Floats:
    """Return the directions in which the world's axes are drawn: with the heading up, or as the world is.

    In a world with depth, the view is along the heading, with up above, or from the front, as that of one at rest; the
    third direction is toward the viewer.
    """
    if len(pose.heading) == 3:
        ahead, right, above = np.array(seen_from(pose if by_heading else Pose((), pose.up)))
        return np.column_stack([right, above, -ahead])
    ahead, beside = pose.heading if by_heading and any(pose.heading) else (0.0, 1.0)
    return np.array([(beside, ahead), (-ahead, beside)])


def _surroundings(canvas: Canvas, stage: Stage, around: Surroundings, name: str) -> None:
    """Draw obstacles, walls, food and animals: bright if they count in this step, else pale, palest if unseen."""
    there = around.offsets @ stage.turn
    wide = around.wide > 0
    if wide.any():
        fills = np.where(around.food[wide, None], (*stage.ink(GREEN), LYING), (*stage.ink(STONE), LYING))
        canvas.discs(there[wide], np.maximum(around.wide[wide], 2 * canvas.pixel), fills)
    if len(around.walls):
        begin, end = around.walls[:, :2] @ stage.turn[:2], around.walls[:, 2:4] @ stage.turn[:2]
        canvas.lines(begin, end, (*stage.ink(STONE), 255), np.maximum(around.walls[:, 4] / canvas.pixel, 2.0))
    colours, which = np.unique(around.colours, return_inverse=True)
    tints = np.array([stage.ink(_pale(int(colour))) for colour in colours]).reshape(-1, 3)[which]
    rgba = np.column_stack([tints, np.where(around.in_view, IN_VIEW, UNSEEN)])
    rgba[stage.counted] = (*stage.ink(lit_in(name)), 255)
    shown = ~wide
    shown[stage.counted] = True
    _animals(canvas, there[shown], around.velocities[shown] @ stage.turn, rgba[shown])
    _animals(canvas, stage.here, around.heading[None] @ stage.turn, (*stage.ink(SUM), 255), 2.0)


def _animals(canvas: Canvas, places: Floats, velocities: Floats, colours: ArrayLike, larger: float = 1.0) -> None:
    """Draw animals as darts along their headings; as dots those at rest, and that move toward the viewer or away.

    `colours`: RGBA, (n, 4) or (4,).
    """
    half = velocities / np.maximum(lengths(velocities), 1e-9)[:, None] * larger * ANIMAL / 2 * canvas.pixel
    long = np.hypot(half[:, 0], half[:, 1]) > larger * DOT * canvas.pixel
    rgba = np.broadcast_to(np.asarray(colours), (len(places), 4))
    if long.any():
        canvas.arrows(
            places[long] - half[long], places[long] + half[long], rgba[long], larger, head=larger * ANIMAL, halo=0.0
        )
    if not long.all():
        canvas.discs(places[~long], 0.0, rgba[~long], grow=larger * DOT)


def _pale(colour: int) -> Rgb:
    """Return a paler version of a colour, 0xRRGGBB; -1 means that there is none."""
    red, green, blue = (int(0.6 * part + 0.4 * 200) for part in rgb_of(colour))
    return PALE if colour < 0 else (red, green, blue)


def _ink(ground: Rgba, rgb: Rgb) -> Rgb:
    """Return a colour made lighter or darker until it is legible on a background."""
    return _integers(legible(rgb, ground))


def _integers(colour: Rgba) -> Rgb:
    red, green, blue = (round(255 * part) for part in colour[:3])
    return red, green, blue


def _enlargement(turned: float) -> int:
    """Return the factor by which a turn (radians) is enlarged to be visible."""
    return max(k for k in ENLARGED if k == 1 or math.radians(0.01) * k < abs(turned) * k <= math.radians(WIDEST))
