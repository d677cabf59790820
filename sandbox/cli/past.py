"""The commands for recordings: `boids replay` and `boids diff`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.cli.options import JsonOption, ModOption, mods_on
from sandbox.files import is_recording, named
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

    if not is_recording(file):
        raise ValueError(f"{named(file)}: is not a recording (.boids), and only recordings can be run again")
    timeline = _opened(file, mods)
    count = sum(branch.last - branch.at for branch in timeline.recording.branches)
    for _ in progress("Replaying", replayed(timeline), count):
        pass
    timeline.settle_digests()
    checked = timeline.checked
    first = timeline.differs
    if as_json:
        diverged = first and {"tick": first[0], "serial": None, "field": None, "system": None}
        print(json.dumps({"ticks": count, "digests_checked": checked, "diverged": diverged}))
    elif first:
        say(f"{named(file)}: tick {first[0]:,}: {first[1]}")
    else:
        digests = "with the same digest" if checked == 1 else f"with the same {checked:,} digests"
        say(f"{named(file)}: {count:,} ticks again, {digests if checked else 'and there was no digest to compare'}")
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

    timelines = _opened(one, mods), _opened(other, mods)
    found = first_divergence(*timelines)
    if as_json:
        print(json.dumps({"diverged": found and asdict(found)}))
    elif found:
        say(_in_words(found))
    else:
        first, last = max(t.recording.first for t in timelines), min(t.branch.last for t in timelines)
        say(f"They are the same in all ticks that both have: {first:,} to {last:,}.")
    raise typer.Exit(DIFFERS if found else 0)


def _in_words(found: Divergence) -> str:
    who = f"entity {found.serial}: " if found.serial is not None else ""
    values = ": " + ", and ".join(filter(None, (found.one, found.other))) if found.one else " differ"
    by = f" (by {found.system})" if found.system else ""
    return f"tick {found.tick:,}: {who}{found.field}{values}{by}"


def _opened(path: Path, mods: list[Path] | None) -> Timeline:
    from sandbox.opening import opened_to_run

    with mods_on(mods) as library:
        return opened_to_run(path, library)
