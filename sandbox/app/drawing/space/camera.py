"""The camera of a world with depth: an eye that turns around what it looks at, comes closer, flies and rides."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.app.drawing.screen import Screen

Vector = tuple[float, float, float]
Floats = NDArray[np.float64]
ANGLE = math.radians(50)  # of view, across the shorter side of the area that panels leave free
STEEPEST = math.radians(88)  # up or down
FIRST_YAW = math.radians(-24)
FARTHEST = 4.0  # times the distance at which the world fits
CLOSEST = 2.0  # u
NEAREST = 1 / 4000  # of the distance of the farthest corner: nearer than that nothing is drawn
FILLS = 0.75  # of the distance at which the world fits
AHEAD, HIGHER = 1.15, 0.3  # half lengths: where the eye of a rider is
MOST_LIFT = 0.9  # so near to the eye the mouse works at most
ARM = 12.0  # half lengths: how far before the eye of a rider the mouse works
NEARBY = 4.0  # half lengths of an animal: nearer to the eye it is drawn smaller, so that it does not hide all else
SHRINKS = 1.5  # power of the distance with which it gets smaller there
OF_VIEW = 0.2  # of the distance to what is looked at: farther away no animal is drawn smaller
CLOSER = 3.0  # how many times nearer one looks at whom one follows, if the whole world was seen
ABOVE = math.radians(14)  # from how high one follows from behind
CORE = 0.8  # of the world, around its middle, lies in a fitted view for certain: its corners may be cut off


@dataclass
class SpaceCamera(Screen):
    """A view of a world with depth. Pixels have their origin at the lower left of the screen.

    Attributes:
        world_size: width, height and depth of the world, u.
        screen, insets: see `Screen`; the view is centred in the area that panels leave free.
        focus: the place that is looked at, u, in the middle of that area.
        yaw, pitch: radians, the way from the focus to the eye: to the right of the front, and up.
        distance: from the focus to the eye, u.
        up: the axis that points up on the screen: "y", or "z" for worlds that are seen from above while they are flat.
        parallel: without perspective, unless it rides: see `is_parallel`.
        lift: how much nearer than the focus the plane is that the mouse works on, as a share of the reach: so it stays
            where it is in the world while one comes closer to it.
        fitted: whether it was fitted to the world, and has not been moved since.
        rides: whether the eye is at the focus, in the head of an animal.
        ridden: half the length of that animal, u; that of the smallest, as long as none was ridden.
        shifted: pixels by which the whole picture is moved; see `aside`.
    """

    world_size: Vector
    screen: tuple[int, int]
    insets: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    focus: Vector = (0.0, 0.0, 0.0)
    yaw: float = FIRST_YAW
    pitch: float = math.radians(12)
    distance: float = 1.0
    up: str = "y"
    parallel: bool = False
    lift: float = 0.0
    fitted: bool = True
    rides: bool = False
    ridden: float = 4.0
    shifted: tuple[float, float] = (0.0, 0.0)
    wraps = tiles = False

    def __post_init__(self) -> None:
        self.fit()

    # ---- where it is

    @property
    def axes(self) -> Floats:
        """The unit vectors to the right and upward on the screen, and toward the viewer, (3, 3)."""
        turn, rise = (math.sin(self.yaw), math.cos(self.yaw)), (math.sin(self.pitch), math.cos(self.pitch))
        right, toward = (turn[1], 0.0, -turn[0]), (turn[0] * rise[1], rise[0], turn[1] * rise[1])
        level: Floats = np.array([right, np.cross(toward, right), toward])
        if self.up == "y":
            return level
        turned: Floats = np.column_stack([level[:, 0], -level[:, 2], level[:, 1]])
        return turned

    @property
    def back(self) -> float:
        """How far the eye is from the focus, u."""
        return 0.0 if self.rides else self.distance

    @property
    def eye(self) -> Floats:
        """Where the viewer is, u, (3,)."""
        found: Floats = np.array(self.focus) + self.back * self.axes[2]
        return found

    @property
    def reach(self) -> float:
        """How far from the eye the plane is that the mouse works on, before it is lifted, u."""
        return ARM * self.ridden if self.rides else self.distance

    @property
    def works_at(self) -> Floats:
        """The place in the middle of the plane that the mouse works on, u, (3,)."""
        found: Floats = self.eye - self.reach * (1 - self.lift) * self.axes[2]
        return found

    @property
    def is_parallel(self) -> bool:
        """Whether it shows the world without perspective."""
        return self.parallel and not self.rides

    @property
    def focal(self) -> float:
        """How many pixels show 1 u that is 1 u away from the eye."""
        return min(self.free) / 2 / math.tan(ANGLE / 2)

    @property
    def zoom(self) -> float:
        """How many pixels show 1 u at the focus; while it rides, at its reach."""
        return self.focal / self.reach

    @zoom.setter
    def zoom(self, zoom: float) -> None:
        self.distance = self.focal / zoom

    @property
    def looks_at(self) -> Vector:
        """The place (u) in the middle of the area that panels leave free."""
        return self.focus

    @property
    def sees(self) -> tuple[float, float, float, float, float, float]:
        """What tells this view: the focus, yaw, pitch, and the distance, which is 0 if it rides."""
        return *self.focus, self.yaw, self.pitch, self.back

    @property
    def nearby(self) -> float:
        """How near to the eye animals of any size may be drawn smaller, u."""
        if self.rides:
            return NEARBY * self.ridden
        return 0.0 if self.parallel else OF_VIEW * self.distance

    # ---- what it shows

    @property
    def matrix(self) -> Floats:
        """What makes clip space of offsets from the focus, u: (x, y, z, 1), as a column, (4, 4)."""
        (width, height), (left, low, right, top) = self.screen, self.insets
        back, far = self.back, self._farthest
        near = far * NEAREST
        view = np.eye(4)
        view[:3, :3] = self.axes
        view[2, 3] = -back
        across, upward = 2 * self.focal / width, 2 * self.focal / height
        shift = np.array([left - right + 2 * self.shifted[0], low - top + 2 * self.shifted[1]]) / (width, height)
        clip = np.zeros((4, 4))
        clip[0, 0], clip[1, 1] = across, upward
        if self.is_parallel:
            clip[0, 3], clip[1, 3], clip[3, 3] = *(shift * back), back
            clip[2, 2], clip[2, 3] = -back / far, -(back**2) / far
        else:
            clip[0, 2], clip[1, 2], clip[3, 2] = *-shift, -1.0
            clip[2, 2], clip[2, 3] = -(far + near) / (far - near), -2 * far * near / (far - near)
        made: Floats = clip @ view
        return made

    def ray(self, x: float, y: float) -> tuple[Vector, Vector]:
        """Return where the line of sight through a pixel begins (u), and its direction, a unit vector."""
        across, upward = self._from_middle(x, y)
        right, up, toward = self.axes
        if self.is_parallel:
            return vector(self.eye + (right * across + up * upward) / self.zoom), vector(-toward)
        way = np.array(self.way(x, y))
        return vector(self.eye), vector(way / np.linalg.norm(way))

    def way(self, x: float, y: float) -> Vector:
        """Return the way that the eye looks in perspective through a pixel; it changes evenly from pixel to pixel."""
        across, upward = self._from_middle(x, y)
        right, up, toward = self.axes
        return vector(right * across + up * upward - toward * self.focal)

    def project(self, places: ArrayLike) -> Floats:
        """Return the pixels that show places (u), shape (..., 3); (..., 2). Of those behind the viewer, NaN."""
        offsets = np.asarray(places, np.float64) - self.focus
        clip = offsets @ self.matrix[:, :3].T + self.matrix[:, 3]
        away = np.where(clip[..., 3:] > 0, clip[..., 3:], np.nan)
        shown: Floats = (clip[..., :2] / away + 1) / 2 * self.screen
        return shown

    def size_at(self, *place: float) -> float:
        """Return how many pixels show 1 u at a place; for places behind the viewer, as many as `zoom`.

        A place of two numbers lies in the middle of the depth.
        """
        if self.is_parallel:
            return self.zoom
        if len(place) == 2:
            place = *place, self.world_size[2] / 2
        away = float((self.eye - place) @ self.axes[2])
        return self.focal / away if away > 0 else self.zoom

    def shrunk(self, places: ArrayLike, sizes: ArrayLike) -> Floats:
        """Return the half lengths with which shaders draw animals, (n,), u: smaller right before the eye.

        Args:
            places: (n, 3), u.
            sizes: half their lengths, (n,), u.
        """
        far, own = np.linalg.norm(np.asarray(places, np.float64) - self.eye, axis=1), np.asarray(sizes, np.float64)
        nearby = np.maximum(np.minimum(self.nearby, NEARBY * own), 1e-9)
        drawn: Floats = own * np.minimum(far / nearby, 1.0) ** SHRINKS
        return drawn

    def to_world(self, x: float, y: float, through: ArrayLike | None = None) -> Vector:
        """Return the place (u) under a pixel, where its ray meets a plane that faces the viewer.

        Args:
            through: a place in this plane, u; by default it is the plane that the mouse works on.
        """
        begin, way = map(np.array, self.ray(x, y))
        toward = self.axes[2]
        steep = float(way @ toward)
        at = self.works_at if through is None else np.asarray(through, np.float64)
        along = float((at - begin) @ toward) / steep if steep else 0.0
        return vector(begin + max(along, 0.0) * way)

    # ---- moving it

    def see(self, x: float, y: float, z: float, yaw: float, pitch: float, distance: float) -> None:
        """Show what was told by `sees`."""
        self.focus, self.yaw, self.pitch, self.rides = (x, y, z), yaw, pitch, not distance
        self.distance, self.fitted = distance or self.distance, False

    def fit(self) -> None:
        """Show the whole world in the area that panels leave free, from where the viewer is now."""
        self.rides, self.lift = False, 0.0
        self.focus = vector(np.array(self.world_size) / 2)
        self.distance, self.fitted = self.fitting, True

    def fill(self) -> None:
        """Show so much of the world, around its middle, that it fills the area that panels leave free."""
        self.fit()
        self.distance *= FILLS

    def encircle(self) -> None:
        """Show the whole world to its corners, from as far away as that takes, whatever the yaw."""
        self.fit()
        sides = np.array(self.world_size) / 2
        half = float(sides["xyz".index(self.up)])  # its height; its corners go round in a circle
        wide, high = (2 * self.focal / side for side in self.free)
        radius, nears = math.sqrt(float(sides @ sides) - half**2), not self.parallel
        rise, level = abs(math.sin(self.pitch)), math.cos(self.pitch)
        upward = (
            abs(up * level - near * rise) * high + (up * rise + near * level) * nears
            for up in (half, -half)
            for near in (radius, -radius)
        )
        self.distance = max(radius * math.hypot(wide, level * nears) + half * rise * nears, *upward)

    @property
    def fitting(self) -> float:
        """The distance, u, at which the world fits the area that panels leave free."""
        across, upward, near = self.axes @ (CORE * (self._corners - np.array(self.world_size) / 2)).T
        wide, high = (side / 2 for side in self.free)
        needed = np.maximum(np.abs(across) * self.focal / wide, np.abs(upward) * self.focal / high)
        return float((needed + (0.0 if self.parallel else near)).max())

    def look_at(self, *place: float) -> None:
        """Centre a place, which may be outside the world, in the area that panels leave free."""
        self.focus, self.fitted = vector(place), False

    def move(self, way: Floats) -> None:
        """Move eye and focus by (3,), u, but the focus not out of the world, nor farther out."""
        past = zip(self.focus, way.tolist(), self.world_size, strict=True)
        self.look_at(*(min(max(at + by, min(at, 0.0)), max(at, size)) for at, by, size in past))

    def pan(self, dx: float, dy: float) -> None:
        """Move the world by some pixels, across the line of sight."""
        right, up, _ = self.axes
        self.move(-(right * dx + up * dy) / self.zoom)

    def orbit(self, dx: float, dy: float) -> None:
        """Turn around the focus, as if some pixels of the world had been dragged."""
        self.rides = False
        self.yaw -= dx * math.pi / self.free[0]
        self.pitch = min(max(self.pitch - dy * math.pi / self.free[1], -STEEPEST), STEEPEST)
        self.fitted = False

    def look_from(self, yaw: float, pitch: float) -> None:
        """Look at the focus from elsewhere; radians."""
        self.yaw, self.pitch, self.rides = yaw, min(max(pitch, -STEEPEST), STEEPEST), False
        if self.fitted:
            self.fit()

    def zoom_at(self, x: float, y: float, factor: float) -> None:
        """Come closer by a factor, toward what is under this pixel."""
        self.rides = False
        place, before = np.array(self.to_world(x, y)), self.distance
        self.distance = min(max(self.distance / factor, CLOSEST), max(FARTHEST * self.fitting, CLOSEST))
        share = 1 - self.distance / before
        self.move((place - self.focus) * share)

    def lift_plane(self, pixels: float) -> None:
        """Bring the plane that the mouse works on nearer by some pixels' worth of u at the reach, never to the eye."""
        self.lift = min(self.lift + pixels / self.focal, MOST_LIFT)

    def fly(self, right: float, up: float, ahead: float) -> None:
        """Move eye and focus by so many u."""
        self.move((right, up, -ahead) @ self.axes)

    def ride(self, place: ArrayLike, heading: ArrayLike, size: float) -> None:
        """Look from the head of an animal at a place along its heading, (3,) each; `size`: half its length, u."""
        ahead = np.asarray(heading, np.float64)
        above = np.array([axis == self.up for axis in "xyz"], float)
        self.focus = vector(np.asarray(place) + (AHEAD * ahead + HIGHER * above) * size)
        self.rides, self.ridden, self.fitted = True, size, False
        self._look_along(ahead)

    def follow(self, place: ArrayLike, heading: Floats) -> None:
        """Look at a place from behind along a heading, (3,) each, a little from above; zeros: from where it is now."""
        self.distance /= CLOSER if self.fitted else 1.0
        self.look_at(*vector(place))
        if heading.any():
            self._look_along(heading)
            self.pitch = min(self.pitch + ABOVE, STEEPEST)

    def dismount(self, before: SpaceCamera) -> None:
        """Look again from where one looked before a ride, at the whole world or at where the ride ended."""
        self.rides = False
        self.look_at(*self.focus)
        self.yaw, self.pitch, self.distance, self.fitted = before.yaw, before.pitch, before.distance, before.fitted
        self._settle()

    def without_panels(self) -> SpaceCamera:
        """Return a camera whose whole screen is the area that panels leave free, and which shows the same there."""
        other = copy(self)
        other.screen, other.insets, other.shifted = self.free_screen, (0.0, 0.0, 0.0, 0.0), (0.0, 0.0)
        return other

    def aside(self, right: float, up: float) -> SpaceCamera:
        """Return a camera that shows the same, moved by some pixels of the screen."""
        other = copy(self)
        other.shifted = self.shifted[0] + right, self.shifted[1] + up
        return other

    # ---- changes of the screen and the world

    def keep_clear(self, insets: tuple[float, float, float, float], *, moves: bool = False) -> None:
        """Set the insets that panels cover; a fitted view is fitted again, any other keeps its place in the middle."""
        if insets != self.insets:
            self.insets = insets
            self._settle()

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window; a fitted view is fitted again."""
        self.screen = (max(width, 1), max(height, 1))
        self._settle()

    def look_over(self, world_size: tuple[float, ...], wraps: bool = False) -> None:
        """Set the size of the world; a fitted view is fitted again."""
        if world_size != self.world_size:
            wide, high, deep = world_size
            self.world_size = wide, high, deep
            self._settle()

    def _settle(self) -> None:
        if self.fitted:
            self.fit()

    def _look_along(self, ahead: Floats) -> None:
        x, y, z = (-ahead).tolist()
        if self.up == "z":
            x, y, z = x, z, -y
        self.yaw, self.pitch = math.atan2(x, z), math.atan2(y, math.hypot(x, z))

    @property
    def _corners(self) -> Floats:
        return np.array(np.meshgrid(*((0.0, side) for side in self.world_size))).reshape(3, -1).T

    @property
    def _farthest(self) -> float:
        """The distance from the eye within which all of the world is, u, and its surroundings."""
        return 2.0 * float(np.linalg.norm(self._corners - self.eye, axis=1).max())

    def _from_middle(self, x: float, y: float) -> tuple[float, float]:
        """Return where a pixel is, from the middle of the area that panels leave free."""
        (width, height), (left, low, right, top) = self.screen, self.insets
        return (
            x - (width + left - right) / 2 - self.shifted[0],
            y - (height + low - top) / 2 - self.shifted[1],
        )


def vector(numbers: ArrayLike) -> Vector:
    """Return three numbers as a tuple."""
    x, y, z = np.asarray(numbers, np.float64).tolist()
    return x, y, z
