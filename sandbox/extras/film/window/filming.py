"""Makes films of a recording: marks the part to film, and runs `boids film` in parallel to the window."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sandbox.app.session.making import Making, Told
from sandbox.cli.overlays import run_up
from sandbox.past.views import seen_at
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from sandbox.app.session.session import Session

SECONDS = 4  # simulated, in a GIF of the last seconds
NONE = "none"  # instead of overlays: also not those that the scene shows
LONG_SIDE = 640  # pixels, of such a GIF
FFMPEG = ".mp4", ".webm"  # formats that need ffmpeg


class Filming(Making):
    """The marked part of the recording, and the film in progress.

    Attributes:
        begin: the marked first tick while the end is not marked yet; else None.
        span: the first tick of the film, and the tick after its last; None until it is chosen.
    """

    name = "film"
    told = Told(
        "another film waits for its turn",
        "no film: {error}",
        "saved film {path}",
        "The film was cancelled.",
        "A film is being made. It is lost if you quit now.",
    )

    def __init__(self) -> None:
        super().__init__()
        self.reset()

    def reset(self) -> None:
        """Forget the marked part, because another world is shown."""
        self.begin: int | None = None
        self.span: tuple[int, int] | None = None

    def knows_views(self, session: Session) -> bool:
        """Return whether the recording contains the camera's views."""
        return seen_at(session.document.timeline.branch, session.document.timeline.branch.last) is not None

    def gif(self, session: Session) -> None:
        """Start making a GIF of the last seconds before the present tick."""
        timeline, (wide, high) = session.document.timeline, session.camera.free_screen
        rate, end = session.simulation.world.resource(Settings).tick_rate, timeline.tick
        begin = max(timeline.recording.first, end - SECONDS * rate)
        if end - begin < rate:
            session.messages.warn("no GIF: less than a second was recorded, so let the world run for a moment")
            return
        share = LONG_SIDE / max(wide, high)
        size = max(round(wide * share), 1), max(round(high * share), 1)
        camera = "recorded" if self.knows_views(session) else "fit"
        self.make(session, (begin, end), size, camera, ".gif", told="making a GIF of the last seconds")

    def make(
        self,
        session: Session,
        span: tuple[int, int],
        size: tuple[int, int],
        camera: str,
        ending: str,
        *,
        overlays: bool = True,
        sound: bool = True,
        told: str = "making the film",
    ) -> None:
        """Write the recording to a file, then start the process that makes a film of `span`; warn if that fails.

        Args:
            size: pixels; `camera`: the option of `boids film`; `ending`: the suffix of the file, ".mp4".
            overlays: whether to draw the overlays that are shown now; `sound`: whether the film has sound.
            told: the message shown at the start.
        """
        words = ["--from", str(span[0]), "--to", str(span[1]), "--size", f"{size[0]}x{size[1]}", "--camera", camera]
        if not sound:
            words.append("--silent")
        drawn = [overlay.name for overlay in _overlays(session)] if overlays else []
        words += [word for name in drawn or [NONE] for word in ("--overlay", name)]
        words += ["--glow" if session.services.glows() else "--no-glow"]
        rate = session.simulation.world.resource(Settings).tick_rate
        self.begin_making(session, span[0] - max(math.ceil(run_up(drawn) * rate), 1), ending, words, told)


def _overlays(session: Session) -> Iterator[Any]:
    """Yield the overlays that pictures show now."""
    for overlay in session.app.overlays:
        if not overlay.in_hand and (overlay.always or overlay.name in session.shown):
            yield overlay
