"""The commands for recordings: `boids replay` and `boids diff`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.cli.options import JsonOption, ModOption, mods_on
from sandbox.files import named
from sandbox.terminal import progress, say

if TYPE_CHECKING:
    from sandbox.past.differences import Divergence
    from sandbox.past.timeline import Timeline

DIFFERS = 3  # the exit status if there is a difference


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", readable=False, help="A recording (.boids).")],
    mods: ModOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a recording again and compare every digest; exit 3 if one differs."""
    from sandbox.past.replay import replayed

    timeline = _opened(file, mods, recordings_only=True)
    count = sum(branch.last - branch.at for branch in timeline.recording.branches)
    steps, bar = replayed(timeline), progress("Replaying", count)
    for _ in zip(steps, bar, strict=False):
        pass
    timeline.settle_digests()
    checked = timeline.checked
    first = timeline.differs
    if as_json:
        diverged = first and {"tick": first[0], "entity": None, "field": None, "system": None}
        print(json.dumps({"ticks": count, "digests_checked": checked, "diverged": diverged}))
    elif first:
        say(f"{named(file)}: tick {first[0]:,}: {first[1]}")
    else:
        digests = "digest" if checked == 1 else f"{checked:,} digests"
        say(f"{named(file)}: {count:,} ticks again, with the same {digests}")
    if timeline.cut:
        say(f"boids: {timeline.cut}", stderr=True)
    raise typer.Exit(DIFFERS if first else bool(timeline.cut))


def diff(
    one: Annotated[Path, typer.Argument(metavar="A", readable=False, help="A recording or a snapshot.")],
    other: Annotated[Path, typer.Argument(metavar="B", readable=False, help="Another one.")],
    mods: ModOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say where two recordings or snapshots begin to differ: tick, entity, field and system; exit 3 if they do."""
    from sandbox.past.differences import first_divergence

    found = first_divergence(_opened(one, mods), _opened(other, mods))
    if as_json:
        print(json.dumps({"diverged": found and asdict(found)}))
    else:
        say(_in_words(found))
    raise typer.Exit(DIFFERS if found else 0)


def _in_words(found: Divergence | None) -> str:
    if found is None:
        return "They are the same."
    who = f"entity {found.entity}: " if found.entity is not None else ""
    values = ": " + ", and ".join(filter(None, (found.one, found.other))) if found.one else " differ"
    by = f" (by {found.system})" if found.system else ""
    return f"tick {found.tick:,}: {who}{found.field}{values}{by}"


def _opened(path: Path, mods: list[Path] | None, *, recordings_only: bool = False) -> Timeline:
    """Open a recording, or a snapshot as a recording of no ticks."""
    from sandbox.opening import is_recording, load
    from sandbox.past.read_recording import open_recording
    from sandbox.past.timeline import Timeline

    with mods_on(mods) as library:
        if recordings_only or is_recording(path):
            return open_recording(path, library)
        return Timeline(load(path, mods=library))
