"""Files that are no recordings, or want to do harm, are refused with a sentence, or played as far as they are right."""

from __future__ import annotations

import io
import json
import os
import re
import struct
import subprocess
import sys
import time
import tracemalloc
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sandbox.design.scene import Entry
from sandbox.edit import Paste, SetField, Spawn, Undo, copy_of
from sandbox.files import read_commands
from sandbox.files.container import RecordingError
from sandbox.files.members import DEEP_VIEW, VIEW, packed_copies
from sandbox.files.png import MOST, MOST_CHUNKS, OWN, SIGNATURE, recording_in, with_recording
from sandbox.files.read_commands import MOST_AT_ONCE
from sandbox.files.read_head import MOST_BRANCHES
from sandbox.files.read_recording import open_recording
from sandbox.files.state.state import hold
from sandbox.files.write_recording import hold_for, write_recording
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import load
from sandbox.past.timeline import Timeline
from sandbox.past.views import Seen, seen_at
from sandbox.warning import SandboxWarning
from tests.mutants import byte_mutants, some_or_many
from tests.recordings import Members, members_of, zipped

Good = tuple[bytes, list[str]]
LAST = 70


def made() -> Good:
    """A good recording, and the digest of every moment."""
    timeline = Timeline(load("hunters"))
    prefab = next(iter(timeline.simulation.populations()))
    asked: dict[int, Any] = {
        5: Spawn(Entry(prefab, 4, at=(100.0, 100.0))),
        20: SetField("Motion.max_speed", 90.0, prefab=prefab),
        30: Paste(copy_of(timeline.simulation.world, [1, 2]), 10.0, 5.0),
        40: Undo(),
    }
    for tick in range(LAST):
        if tick in asked:
            timeline.simulation.submit(asked[tick])
        timeline.step()
        timeline.branch.views[timeline.tick] = Seen(tick, 2.0, 300.0, 200.0)
    with TemporaryDirectory() as folder:
        hold_for(timeline, 0).write(path := Path(folder, "good.boids"))
        content, digests = path.read_bytes(), []
    for tick in range(LAST + 1):
        timeline.seek(tick)
        digests.append(timeline.simulation.digest())
    timeline.close()
    return content, digests


@pytest.fixture(scope="module")
def whole() -> Good:
    return made()


def picture(*chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG of 16 x 16 pixels, with these chunks behind its picture."""
    content = io.BytesIO()
    Image.new("RGB", (16, 16), "teal").save(content, "PNG")
    end = len(content.getvalue()) - 12
    return content.getvalue()[:end] + b"".join(chunk(*each) for each in chunks) + content.getvalue()[end:]


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def opened(content: bytes, path: Path) -> Timeline | str:
    """What the file holds, or why it is refused."""
    path.write_bytes(content)
    try:
        return open_recording(path, NO_MODS)
    except RecordingError as error:
        said = str(error)
        assert str(path) in said
        assert len(said) < len(str(path)) + 400
        assert "\n" not in said
        return said


def head(**changed: Any) -> Callable[[Members], Members]:
    def change(members: Members) -> Members:
        table = {**json.loads(members["recording.json"]), **changed}
        return {**members, "recording.json": json.dumps(table).encode()}

    return change


def command(line: int, text: str) -> Callable[[Members], Members]:
    def change(members: Members) -> Members:
        known = members["commands.jsonl"].decode().splitlines()
        return lines(*known[:line], text, *known[line + 1 :])(members)

    return change


def lines(*commands: str) -> Callable[[Members], Members]:
    text = "\n".join(commands).encode()
    return lambda members: head(command_bytes=len(text))({**members, "commands.jsonl": text})


def deep_views(*records: tuple[float, ...]) -> Callable[[Members], Members]:
    return lambda members: {**members, "deep_views.bin": b"".join(DEEP_VIEW.pack(*record) for record in records)}


def views(*records: tuple[float, ...]) -> Callable[[Members], Members]:
    return lambda members: {**members, "views.bin": b"".join(VIEW.pack(*record) for record in records)}


def without(name: str) -> Callable[[Members], Members]:
    return lambda members: {known: data for known, data in members.items() if known != name}


UNPACKS = '{"tick":1,"branch":0,"kind":"%s"}'
DEEP = "[" * 5000 + "]" * 5000
ONE = {"parent": None, "at": 0, "last": LAST}
REFUSED = {
    "no head": (without("recording.json"), "recording.json is missing"),
    "no start": (without("start.npy"), "start.npy is missing"),
    "no commands": (without("commands.jsonl"), "commands.jsonl is missing"),
    "another member": (lambda members: {**members, "a.py": b"import os"}, "holds 'a.py', which is not part"),
    "no JSON": (lambda members: {**members, "recording.json": b"{"}, "recording.json is not a JSON text"),
    "deep": (lambda members: {**members, "recording.json": DEEP.encode()}, "recording.json"),
    "a newer format": (head(format=2), "has format 2, and this version reads up to 1"),
    "physics": (head(physics="old"), "physics = 'old': must be 0 to"),
    "no branch": (head(branches=[]), "branches: must be a list of 1 to"),
    "branch of none": (head(branches=[ONE, {"parent": 1, "at": 3, "last": 5}]), "parent = 1: must be 0 to 0"),
    "branch begins late": (head(branches=[ONE, {"parent": 0, "at": 99, "last": 99}]), "at = 99: must be 0 to 70"),
    "branch shown": (head(branch=3), "branch = 3: must be 0 to 0"),
    "endless": (head(branches=[{**ONE, "last": 1e99}]), "last = 1e+99: must be"),
    "tick shown": (head(tick=71), "tick = 71: must be 0 to 70"),
    "marker": (head(markers=[[0, 999, "x"]]), "tick = 999: must be 0 to 70"),
    "mods": (head(mods=[["magnet"]]), "mods: must be a list of [id, version, content]"),
    "a mod": (head(mods=[["magnet", "1.0", "5f"]], mods_at_start=1), "needs the mod magnet 1.0 as it was"),
    "digests cut": (lambda members: {**members, "digests.bin": b"123"}, "digests.bin: must be records of 44 bytes"),
    "views cut": (lambda members: {**members, "views.bin": b"123"}, "views.bin: must be records of 28 bytes"),
    "views of no branch": (views((0, 1, 1, 1, 9, 9)), "views.bin: there is no branch 1"),
    "views after the end": (views((71, 0, 1, 1, 9, 9)), "views.bin: tick 71 of branch 0: must be 0 to 70"),
    "views back in time": (views((5, 0, 1, 1, 9, 9), (5, 0, 1, 1, 9, 9)), "tick 5 of branch 0: must be 6 to 70"),
    "deep views of no branch": (deep_views((0, 1, 1, 1, 1, 0, 0, 9)), "deep_views.bin: there is no branch 1"),
    "deep views of nowhere": (
        deep_views((5, 0, 1, 1, float("inf"), 0, 0, 9)),
        "deep_views.bin: tick 5: x, y, z and yaw must be",
    ),
    "deep views upside down": (deep_views((5, 0, 1, 1, 1, 0, 3, 9)), "tick 5: pitch must be -pi/2 to pi/2"),
    "deep views from nowhere": (deep_views((5, 0, 1, 1, 1, 0, 0, float("nan"))), "tick 5: distance must be 0.001 to"),
    "views of nowhere": (views((5, 0, float("nan"), 1, 9, 9)), "views.bin: tick 5: x and y must be -1e+09 to 1e+09 u"),
    "views from afar": (views((5, 0, 1, 1e30, 9, 9)), "views.bin: tick 5: x and y must be -1e+09 to 1e+09 u"),
    "views of nothing": (views((5, 0, 1, 1, 9, 0)), "tick 5: width and height must be 0.001 to 1e+09 u"),
    "views without an end": (views((5, 0, 1, 1, float("inf"), 9)), "tick 5: width and height must be 0.001 to"),
    "many views": (lambda members: {**members, "views.bin": bytes(28 * 200_001)}, "views.bin"),
    "a command that is no JSON": (command(1, '{"tick":20'), "commands.jsonl:2: a command is not a JSON text"),
    "a command that is deep": (
        command(1, '{"tick":20,"branch":0,"kind":"SetField","key":' + DEEP + "}"),
        "commands.jsonl:2: a command is not a JSON text",
    ),
    "a command of no branch": (command(1, '{"tick":20,"branch":1,"kind":"Undo"}'), "branch = 1: must be 0 to 0"),
    "a long line": (
        lines('{"tick":20,"branch":0,"x":[' + "[]," * (6 << 20) + "[]]}"),
        "takes too much memory: what a file unpacks to must fit into 240 MB",
    ),
    "fewer commands": (head(command_bytes=10**6), "commands.jsonl has"),
    "a start of another tick": (head(branches=[{**ONE, "at": 1}], tick=1), "start.npy: is the state of tick 0"),
    "a start that is none": (
        lambda members: {**members, "start.npy": b"PK"},
        "start.npy is damaged or not a recording",
    ),
}
CUT = {
    "unknown kind": (command(1, '{"tick":20,"branch":0,"kind":"Explode"}'), 19, "kind = 'Explode': must be one of"),
    "unknown key": (command(1, '{"tick":20,"branch":0,"kind":"Undo","x":1}'), 19, "Undo has no 'x'"),
    "missing key": (command(1, '{"tick":20,"branch":0,"kind":"SetField"}'), 19, "SetField lacks some of"),
    "back in time": (command(1, '{"tick":4,"branch":0,"kind":"Undo"}'), 4, "tick = 4: must be 5 to 70"),
    "many": (
        command(1, '{"tick":20,"branch":0,"kind":"Despawn","serials":{"serials":[[1,2000000000]]}}'),
        19,
        "at most 1,000,000",
    ),
    "no copies": (without("copies/0.npy"), 29, "copies/0.npy is missing"),
    "nested": (
        command(1, '{"tick":20,"branch":0,"kind":"SetField","key":' + "[" * 700 + "]" * 700 + "}"),
        19,
        "commands.jsonl:2: lists must not be nested so deeply",
    ),
    "runs back": (
        command(1, '{"tick":20,"branch":0,"kind":"Despawn","serials":{"serials":[[5,9],[9,9]]}}'),
        19,
        "serials must be [[first, last], ...], ascending",
    ),
    **{
        f"no array {value:.9}": (
            command(1, f'{{"tick":20,"branch":0,"kind":"Despawn","serials":{{"array":{value}}}}}'),
            19,
            "an array must be lists of numbers, all of the same length",
        )
        for value in ("{}", "[{}]", "[[1],[2,3]]", "9" * 400, '["x"]')
    },
    "no mods": (
        command(1, '{"tick":20,"branch":0,"kind":"UseMods","mods":[5]}'),
        19,
        "mods: must be mods of this file",
    ),
    "many in a tick": (
        lambda members: lines(*[UNPACKS % "Undo"] * (MOST_AT_ONCE + 1))(members),
        0,
        "commands.jsonl:100001: tick 1 must have at most 100,000 commands",
    ),
    "code": (command(1, '{"tick":20,"branch":0,"kind":"__import__"}'), 19, "must be one of"),
}


@pytest.mark.parametrize("more", [0, 1])
def test_a_recording_is_read_to_the_most_commands(
    more: int, whole: Good, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_commands, "MOST_LINES", 50)
    undone = [f'{{"tick":{tick},"branch":0,"kind":"Undo"}}' for tick in range(1, 51 + more)]
    timeline = opened(zipped(lines(*undone)(members_of(whole[0]))), tmp_path / "a.boids")
    assert isinstance(timeline, Timeline)
    assert len(timeline.branch.own) == 50
    assert timeline.branch.last == (50 if more else LAST)
    cut = "commands.jsonl:51: there must be at most 50 commands; it plays to tick 50"
    assert timeline.cut.endswith(cut if more else "")
    assert bool(timeline.cut) == bool(more)
    timeline.close()


def test_what_follows_a_mistake_costs_no_time(whole: Good, tmp_path: Path) -> None:
    """The lines of branches that go no further are not read, or refused if they are too much."""
    long = '{"tick":1,"branch":%d,"kind":"Undo","x":[' + "[]," * (1 << 17) + "[]]}"
    ended = lines(*[long % 0] * 400)(members_of(whole[0]))
    before = time.process_time()
    timeline = opened(zipped(ended), tmp_path / "a.boids")
    assert isinstance(timeline, Timeline)
    assert "Undo has no 'x'" in timeline.cut
    assert time.process_time() - before < 5
    timeline.close()
    branched = head(branches=[ONE, {"parent": 0, "at": 1, "last": 5}])(lines(*[long % 1] * 400)(members_of(whole[0])))
    said = opened(zipped(branched), tmp_path / "a.boids")
    assert isinstance(said, str)
    assert "takes too much memory" in said


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_wrong_is_said_with_its_place(whole: Good, what: str, tmp_path: Path) -> None:
    change, why = REFUSED[what]
    said = opened(zipped(change(members_of(whole[0]))), tmp_path / "a.boids")
    assert isinstance(said, str)
    assert why in said


@pytest.mark.parametrize("what", CUT)
def test_it_plays_up_to_a_command_that_can_not_be_read(whole: Good, what: str, tmp_path: Path) -> None:
    change, last, why = CUT[what]
    timeline = opened(zipped(change(members_of(whole[0]))), tmp_path / "a.boids")
    assert isinstance(timeline, Timeline), timeline
    assert why in timeline.cut
    assert re.search(r"commands\.jsonl:( a line|\d)", timeline.cut) or "copies" in timeline.cut
    assert timeline.branch.last == last
    assert [*timeline.branch.views] == [*range(1, last + 1)]
    timeline.seek(last)
    assert timeline.differs is None


def test_a_branch_ends_soon_after_the_last_tick_of_which_something_is_known(whole: Good, tmp_path: Path) -> None:
    """A number alone can't make a program run a billion ticks; what was done is always there."""
    members, forged = members_of(whole[0]), {"parent": 0, "at": 5_000_000, "last": 10**8}
    branches = [{**ONE, "last": 10**9}, {"parent": 0, "at": 900, "last": 10**8}, forged]
    commands = members["commands.jsonl"].decode().splitlines()
    members = lines(*commands, '{"tick":900,"branch":1,"kind":"Undo"}')(members)
    timeline = opened(zipped(head(branches=branches, tick=10**9)(members)), tmp_path / "a.boids")
    assert isinstance(timeline, Timeline), timeline
    assert [branch.last for branch in timeline.recording.branches] == [6_900, 6_900, 12_900]
    assert "recording.json: nothing is known of branch 0 after tick 900; it plays to tick 6,900" in timeline.cut


def test_a_command_for_another_world_is_told_where_it_comes(whole: Good, tmp_path: Path) -> None:
    other = command(1, '{"tick":20,"branch":0,"kind":"SetEnabled","system":"gravity","enabled":true}')
    timeline = opened(zipped(other(members_of(whole[0]))), tmp_path / "a.boids")
    assert isinstance(timeline, Timeline)
    timeline.seek(LAST)
    assert timeline.differs is not None
    assert timeline.differs[0] == 20
    assert "there is no system 'gravity'" in timeline.differs[1]


def many_clipboards(members: Members) -> Members:
    """Fifty, of 25,000 entities each."""
    with load("murmuration") as world:
        copies = copy_of(world.world, np.arange(1, 5)).only(np.arange(4).repeat(25_000 // 4))
        serial = np.arange(1, 25_001)
        rows = {name: kept._replace(rows=np.arange(25_000)) for name, kept in copies.records.items()}
        content = b"".join(packed_copies(replace(copies, serial=serial, records=rows)))
    paste = '{"tick":1,"branch":0,"kind":"Paste","copies":{"copies":%d}}'
    return lines(*(paste % number for number in range(50)))(
        {**members, **{f"copies/{n}.npy": content for n in range(50)}}
    )


BOMBS: dict[str, tuple[Callable[[Members], Members], str]] = {  # and what is said of it
    "a million serials in each line": (
        lines(*['{"tick":1,"branch":0,"kind":"Despawn","serials":{"serials":[[900000,1899999]]}}'] * 100),
        "",
    ),
    "one clipboard in each line": (
        lines(*['{"tick":1,"branch":0,"kind":"Paste","copies":{"copies":0}}'] * 1000),
        "",
    ),
    "clipboards": (many_clipboards, r"(copies/\d+\.npy|jsonl:\d+): takes too much memory"),
    "commands on many branches": (
        lambda members: head(branches=[ONE, *[{"parent": 0, "at": 50, "last": 50}] * 1000])(
            lines(*[UNPACKS % "Undo"] * 5000)(members)
        ),
        "",
    ),
    "digests": (
        lambda members: {**members, "digests.bin": bytes(44 * (1 + (1 << 20)))},
        r"digests\.bin: takes too much memory",
    ),
    "a clipboard of zeros": (
        lambda members: {**members, "copies/0.npy": bytes(300 << 20)},
        r"copies/0\.npy is damaged",
    ),
}


LARGE = "clipboards", "a clipboard of zeros"  # those that take seconds


@pytest.mark.parametrize(
    "bomb", [pytest.param(bomb, marks=pytest.mark.verify) if bomb in LARGE else bomb for bomb in BOMBS]
)
def test_what_it_unpacks_to_fits_into_one_budget(bomb: str, whole: Good, tmp_path: Path) -> None:
    """However small the file is; what several commands or branches share is there once."""
    change, says = BOMBS[bomb]
    content = zipped(change(members_of(whole[0])))
    tracemalloc.start()
    try:
        timeline = opened(content, tmp_path / "a.boids")
        assert tracemalloc.get_traced_memory()[1] < (300_000_000 if says else 20_000_000)
    finally:
        tracemalloc.stop()
    assert re.search(says, timeline if isinstance(timeline, str) else timeline.cut)
    if isinstance(timeline, Timeline):
        timeline.close()


OPENED_ALONE = """
import sys
from pathlib import Path
from sandbox.files.container import RecordingError
from sandbox.files.read_recording import open_recording
from sandbox.mods.load.loaded_mods import NO_MODS
try:
    open_recording(Path(sys.argv[1]), NO_MODS)
except RecordingError as error:
    print(error)
print(Path("/proc/self/status").read_text("utf-8"))
"""


@pytest.mark.verify
@pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's account of a process")
def test_commands_of_many_small_values_take_at_most_300_mb(whole: Good, tmp_path: Path) -> None:
    """Python gives each of them a multiple of 16 bytes: the whole process counts, with the program itself."""
    values = json.dumps([["prey", "Motion.max_speed", 80.0]] * 3000)
    content = zipped(
        lines(*[f'{{"tick":1,"branch":0,"kind":"SetPrefabs","values":{values}}}'] * 555)(members_of(whole[0]))
    )
    assert len(content) < 1_000_000
    (path := tmp_path / "a.boids").write_bytes(content)
    said = subprocess.run([sys.executable, "-c", OPENED_ALONE, path], check=True, capture_output=True, text=True).stdout
    assert "must fit into 240 MB" in said
    assert int(re.findall(r"VmHWM:\s*(\d+) kB", said)[0]) < 300_000


def test_branches_may_follow_each_other_to_any_depth(whole: Good, tmp_path: Path) -> None:
    """Each leaves the one before a tick later; all can be reached, drawn and written again."""
    branches = [ONE, *({"parent": n, "at": min(n + 1, 50), "last": LAST} for n in range(MOST_BRANCHES - 1))]
    changed = head(branches=branches, branch=len(branches) - 1, tick=55)(members_of(whole[0]))
    timeline = opened(zipped(changed), tmp_path / "a.boids")
    assert isinstance(timeline, Timeline), timeline
    last = timeline.recording.branches[-1]
    assert timeline.branch is last
    assert (last.keyframe(60).tick, last.digest(60), seen_at(last, 20)) == (0, None, (0, 2, 300, 200))
    assert last.shared_with(timeline.recording.branches)[timeline.recording.branches[0]] == 1
    timeline.seek(LAST)
    digest = timeline.simulation.digest()
    write_recording(timeline, tmp_path / "again.boids")
    again = open_recording(tmp_path / "again.boids", NO_MODS)
    again.seek(LAST)
    assert (again.cut, again.simulation.digest()) == ("", digest)
    assert len(again.recording.branches) == MOST_BRANCHES


def test_a_script_that_loads_a_recording_with_a_damaged_keyframe_is_told_its_name_once(tmp_path: Path) -> None:
    timeline = Timeline(load("ronan"))
    for _ in range(120):
        timeline.step()
    write_recording(timeline, path := tmp_path / "a.boids")
    timeline.close()
    members = members_of(path.read_bytes())
    keyframe = next(name for name in members if name.startswith("keyframes/"))
    path.write_bytes(zipped({**members, keyframe: b"no array"}))
    with pytest.warns(SandboxWarning, match="is damaged .*; it is left out$") as warned, load(path) as simulation:
        assert simulation.world.tick == 120
    assert [str(one.message).count("a.boids") for one in warned] == [1]


@pytest.mark.verify
def test_keyframes_that_do_not_fit_are_left_out(tmp_path: Path) -> None:
    """Twenty of them, of 200,000 entities each."""
    with load("hundred-thousand") as simulation:
        simulation.submit(Paste(copy_of(simulation.world, np.arange(1, 100_001)), 3.0, 1.0))
        simulation.step()
        write_recording(timeline := Timeline(simulation), tmp_path / "a.boids", keyframes=0)
        later = head(branches=[{**ONE, "at": 1, "last": 200}], tick=1)
        members = later(members_of((tmp_path / "a.boids").read_bytes()))
        for tick in range(2, 22):
            simulation.world.tick = tick
            members[f"keyframes/0-{tick}.npy"] = b"".join(hold(simulation.world).member("")[1])
        timeline.close()
    again = opened(zipped(members), tmp_path / "a.boids")
    assert isinstance(again, Timeline)
    assert re.search(r"keyframes/0-\d+\.npy: takes too much memory.*; it is left out", again.cut)
    assert 3 < len(again.branch.keyframes) < 15
    assert again.recording.size < 300_000_000
    again.close()


@some_or_many
@pytest.mark.parametrize("name", ["a.boids", "a.png"])
def test_what_is_changed_or_cut_anywhere_shows_nothing_else(name: str, count: int, whole: Good, tmp_path: Path) -> None:
    """In a recording, and in a picture that holds it."""
    content, digests = whole
    for mutant in byte_mutants(content if name == "a.boids" else with_recording(picture(), content), count):
        timeline = opened(mutant, tmp_path / name)
        if isinstance(timeline, Timeline):
            timeline.seek(timeline.branch.last)
            assert timeline.cut or timeline.tick == LAST
            assert timeline.simulation.digest() == digests[timeline.tick]
            timeline.close()


def test_a_recording_in_a_picture_is_what_the_specification_of_png_says(whole: Good, tmp_path: Path) -> None:
    content = with_recording(picture((b"tEXt", b"a\0b")), whole[0])
    assert content == picture((b"tEXt", b"a\0b"), (OWN, whole[0]))
    ancillary, private, reserved, safe_to_copy = (chr(letter).islower() for letter in OWN)
    assert (ancillary, private, reserved, safe_to_copy) == (True, True, False, True)
    with Image.open(io.BytesIO(content)) as shown:
        assert shown.convert("RGB").getpixel((3, 3)) == (0, 128, 128)
    (tmp_path / "a.png").write_bytes(content)
    assert recording_in(tmp_path / "a.png") == whole[0]
    timeline = open_recording(tmp_path / "a.png", NO_MODS)
    assert (timeline.tick, timeline.opens_at) == (0, LAST)


IN_PICTURES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "none": (lambda recording: picture(), "this picture holds no recording: a screenshot of the window (F2) does"),
    "no picture": (lambda recording: recording, "is not a PNG picture"),
    "empty": (lambda recording: b"", "is not a PNG picture"),
    "two": (lambda recording: picture((OWN, recording), (OWN, recording)), "must hold one recording of at most"),
    "nothing in it": (lambda recording: picture((OWN, b"")), "must hold one recording of at most"),
    "too much": (lambda recording: picture((OWN, bytes(MOST + 1))), "must hold one recording of at most 2,000,000"),
    "another check": (
        lambda recording: picture((OWN, recording)).replace(recording, recording[::-1]),
        "its recording is damaged",
    ),
    "cut": (lambda recording: picture((OWN, recording))[:-20], "is cut or damaged"),
    "no end": (lambda recording: picture((OWN, recording))[:-12], "is cut or damaged"),
    "no beginning": (lambda recording: SIGNATURE + picture((OWN, recording))[33:], "is cut or damaged"),
    "a chunk of 4 GB": (lambda recording: picture()[:-12] + b"\xff\xff\xff\xfftEXt", "is cut or damaged"),
    "many chunks": (lambda recording: picture(*[(b"tEXt", b"")] * MOST_CHUNKS, (OWN, recording)), "is cut or damaged"),
    "a zip of something else": (lambda recording: picture((OWN, zipped({"a": b"b"}))), "holds 'a', which is not part"),
    "no zip": (lambda recording: picture((OWN, b"recording")), "is damaged or not a recording"),
}


@pytest.mark.parametrize("what", IN_PICTURES)
def test_a_picture_without_a_good_recording_is_refused(whole: Good, what: str, tmp_path: Path) -> None:
    change, why = IN_PICTURES[what]
    said = opened(change(whole[0]), tmp_path / "a.png")
    assert isinstance(said, str), what
    assert why in said


def test_of_a_picture_no_more_is_read_than_a_recording_may_have(tmp_path: Path) -> None:
    """1 GB of other things, and a recording that says it has as much."""
    path, giga = tmp_path / "a.png", 1 << 30
    for name, why in ((b"tEXt", "holds no recording"), (OWN, "must hold one recording")):
        with path.open("wb") as file:
            file.write(picture()[:-12] + struct.pack(">I", giga) + name)
            file.seek(giga + 4, os.SEEK_CUR)
            file.write(chunk(b"IEND", b""))
        tracemalloc.start()
        with pytest.raises(ValueError, match=why):
            recording_in(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
        tracemalloc.stop()
