"""Files that are no snapshots, or want to do harm, are refused with a sentence, and cost little to refuse."""

from __future__ import annotations

import io
import pickle
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from components.store.fields import AMOUNT_SCALE
from components.store.prefab import Prefab
from sandbox import opening
from sandbox.design.scene import Entry, Scene
from sandbox.files.container import RecordingError
from sandbox.simulation import Simulation
from tests import recordings
from tests.mutants import byte_mutants, some_or_many
from tests.recordings import Arrays, arrays_in, member_of, members_of, snapshot_of, zipped

BOIDS = 20


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a good snapshot."""
    path = tmp_path_factory.mktemp("good") / "good.boids"
    names = ("Position", "Velocity", "Motion", "Flocker", "Look", "Energy", "Food")
    parts: dict[str, dict[str, float]] = {name: {} for name in names}
    scene = Scene("good", seed=1, prefabs={"boid": Prefab("boid", parts)}, entries=[Entry("boid", BOIDS)])
    with Simulation(scene) as simulation:
        simulation.save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def arrays(whole: bytes) -> Arrays:
    """The arrays of its state."""
    return arrays_in(members_of(whole)["start.npy"])


def refusal(path: Path, content: bytes) -> str:
    """What is said of this file."""
    path.write_bytes(content)
    with pytest.raises(RecordingError) as caught:
        opening.load(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert len(said) < len(str(path)) + 300
    assert "\n" not in said
    return said.removeprefix(f"{path}: ")


def array(values: Any, dtype: Any) -> np.ndarray:
    return np.asarray(values, dtype)


def without(key: str) -> Callable[[Arrays], Arrays]:
    return lambda arrays: {name: array for name, array in arrays.items() if name != key}


def with_array(key: str, values: Any, dtype: Any) -> Callable[[Arrays], Arrays]:
    return lambda arrays: {**arrays, key: array(values, dtype)}


def with_meta(**changes: Any) -> Callable[[Arrays], Arrays]:
    return lambda arrays: recordings.with_meta(arrays, **changes)


def with_text(text: str) -> Callable[[Arrays], Arrays]:
    return with_array("meta", list(text.encode()), np.uint8)


def all_positions(value: float) -> Callable[[Arrays], Arrays]:
    return with_array("Position.x", [value] * BOIDS, np.float32)


SERIALS = list(range(1, BOIDS + 1))
CASES: dict[str, tuple[Callable[[Arrays], Arrays], str]] = {
    "no meta": (without("meta"), "has no meta that says what it is"),
    "meta is not the first": (
        lambda arrays: {**without("meta")(arrays), "meta": arrays["meta"]},
        "has no meta that says what it is",
    ),
    "no prefab": (without("prefab"), "the array prefab is missing"),
    "a field is missing": (without("Velocity.y"), "the array Velocity.y is missing"),
    "serials are missing": (without("Velocity"), "holds an array 'Velocity.x' that this version does not know"),
    "a mod's component": (with_array("Magnet", SERIALS, np.int64), "needs the component 'Magnet', which this program"),
    "an unknown field": (with_array("Look.glow", SERIALS, np.float32), "holds an array 'Look.glow' that this version"),
    "a transient field": (with_array("Position.previous.x", SERIALS, np.float32), "holds an array 'Position.previous"),
    "float64": (with_array("Position.x", [0] * BOIDS, np.float64), "Position.x holds float64, and must hold float32"),
    "big-endian": (with_array("Position.x", [0] * BOIDS, ">f4"), "the array Position.x holds float32, and must hold"),
    "strings": (with_array("Position.x", ["a"] * BOIDS, "U1"), "Position.x holds str32, and must hold float32"),
    "objects": (with_array("Position.x", [{}] * BOIDS, object), "start.npy is damaged or not a recording"),
    "two dimensions": (with_array("Position.x", [[0] * BOIDS], np.float32), "start.npy is damaged or not a recording"),
    "no dimension": (with_array("Position.x", 0, np.float32), "start.npy is damaged or not a recording"),
    "too short": (with_array("Position.x", [0], np.float32), "Position.x has 1 values, and must have 20"),
    "too long": (with_array("Look.size", [5] * 21, np.float32), "Look.size has 21 values, and must have 20"),
    "too few prefabs": (with_array("prefab", [0] * 19, np.int32), "prefab has 19 values, and must have 20, one for"),
    "an unknown prefab": (with_array("prefab", [1] * BOIDS, np.int32), "prefab must be 0 to 0"),
    "a prefab below 0": (with_array("prefab", [-1] * BOIDS, np.int32), "prefab must be 0 to 0"),
    "serials that descend": (with_array("Look", SERIALS[::-1], np.int64), "the serials in Look must be 1 or more"),
    "serials twice": (with_array("Look", [1] * BOIDS, np.int64), "the serials in Look must be 1 or more, and ascend"),
    "serials from 0": (with_array("Look", range(BOIDS), np.int64), "the serials in Look must be 1 or more"),
    "a serial to come": (with_meta(next_serial=20), "there is an entity 20, and the next serial is 20"),
    "nan": (all_positions(np.nan), "Position.x = nan: must be -1,000,000 to 1,000,000 (u)"),
    "infinity": (all_positions(np.inf), "Position.x = inf: must be -1,000,000 to 1,000,000 (u)"),
    "too far": (all_positions(-1.1e6), "Position.x = -1100000.0: must be -1,000,000 to 1,000,000 (u)"),
    "an unknown choice": (with_array("Look.shape", [13] * BOIDS, np.int32), "Look.shape = 13: must be 0 to 12"),
    "a choice below 0": (with_array("Look.shape", [-1] * BOIDS, np.int32), "Look.shape = -1: must be 0 to 12"),
    "no colour": (with_array("Look.colour", [1 << 24] * BOIDS, np.uint32), "Look.colour = 16777216: must be 0 to 0xf"),
    "a half switch": (
        with_array("Motion.drag_after_clamp", np.full(BOIDS, 2, np.uint8).view(np.bool_), np.bool_),
        "Motion.drag_after_clamp = True: must be 0 or 1",
    ),
    "more than there may be": (
        with_array("Energy.level", [10**6 * AMOUNT_SCALE + 1] * BOIDS, np.int64),
        "Energy.level = 1048576000001: must be 0 to 1,000,000",
    ),
    "less than no food": (
        with_array("Food.amount", [-1] * BOIDS, np.int64),
        "Food.amount = -1: must be 0 to 1,000,000",
    ),
    "the least number": (
        with_array("Energy.hunger", [-(2**63)] * BOIDS, np.int64),
        "Energy.hunger = -9223372036854775808: must be 0 to 1,000,000",
    ),
    "an amount as a fraction": (
        with_array("Energy.level", [1.5] * BOIDS, np.float64),
        "Energy.level holds float64, and must hold int64",
    ),
    "food for prefabs that are not there": (
        with_array("Food.feeds", [2] * BOIDS, np.uint64),
        "Food.feeds = 2: must name some of the 1 prefabs",
    ),
    "too many entities": (with_array("Look", range(1, 1_000_002), np.int64), "holds more than the 1,000,000 entities"),
    "meta is no JSON": (with_text("{"), "meta is not a JSON text"),
    "meta is no table": (with_text("[]"), "meta: must be a table"),
    "meta is deep": (with_text("[" * 100_000), "meta is not a JSON text"),
    "meta says nan": (with_text('{"format": NaN}'), "meta is not a JSON text"),
    "meta says it twice": (with_text('{"format": 1, "format": 1}'), "meta is not a JSON text"),
    "meta says a huge number": (with_text('{"format": 1' + "0" * 5000 + "}"), "meta is not a JSON text"),
    "meta is not UTF-8": (with_array("meta", [255] * 9, np.uint8), "meta is not a JSON text"),
    "meta is too long": (with_array("meta", np.zeros(9 << 20), np.uint8), "has no meta that says what it is"),
    "meta says half a character": (with_meta(name="\ud800"), "meta is not a JSON text"),
    "a tick below 0": (with_meta(tick=-1), "tick = -1: must be 0 to"),
    "a tick too high": (with_meta(tick=2**63), "tick = 9223372036854775808: must be 0 to"),
    "a seed in words": (with_meta(seed="1"), "seed = '1': must be a number, 0 to"),
    "a world without width": (with_meta(world={"width": 0}), "world.width = 0: must be 1 to 1,000,000 (u)"),
    "a world of numbers": (with_meta(world={"edges": 0}), "world.edges = 0: must be one of wrap, turn, bounce, open"),
    "a world as a resource": (with_meta(resources={"Settings": {}}), "does not know: Settings"),
    "a name too long": (with_meta(name="x" * 5000), "must be at most 4,096 characters"),
    "prefabs as a table": (with_meta(prefabs={}), "prefabs: must be a list of at most 64 tables"),
    "a prefab twice": (with_meta(prefabs=[{"name": "a", "help": ""}] * 2), "at most 64 tables, each of another name"),
    "a prefab of a mod": (
        with_meta(prefabs=[{"name": "boid", "help": "", "Magnet": {}}]),
        "needs the component 'Magnet'",
    ),
    "a prefab's unknown field": (
        with_meta(prefabs=[{"name": "boid", "help": "", "Motion": {"max_sped": 1}}]),
        'prefabs.boid.Motion.max_sped: unknown key; did you mean "max_speed"?',
    ),
    "a prefab out of bounds": (
        with_meta(prefabs=[{"name": "boid", "help": "", "Motion": {"drag": -1}}]),
        "prefabs.boid.Motion.drag = -1: must be 0 to 60 (1/s)",
    ),
    "a prefab beyond numbers": (
        with_meta(prefabs=[{"name": "boid", "help": "", "Motion": {"drag": 10**400}}]),
        "prefabs.boid.Motion.drag = ",
    ),
    "a prefab that hunts a list": (
        with_meta(prefabs=[{"name": "boid", "help": "", "Predator": {"hunts": [[1]]}}]),
        "prefabs.boid.Predator.hunts = [[1]]: there is no prefab [1]",
    ),
    "a list of usual values": (with_meta(usual=[]), "usual = []: must be a table"),
    "a usual value of nobody": (with_meta(usual={"dodo": {}}), "usual: there is no prefab 'dodo'"),
    "a usual value of what it has not": (
        with_meta(usual={"boid": {"Wall": {"thickness": 4}}}),
        "usual: the prefab boid has no Wall",
    ),
    "a usual help": (with_meta(usual={"boid": {"help": "x"}}), "usual: the prefab boid has no help"),
    "a usual field to come": (with_meta(usual={"boid": {"Motion": {"sped": 1}}}), "usual.boid.Motion.sped"),
    "a usual value below 0": (
        with_meta(usual={"boid": {"Motion": {"drag": -1}}}),
        "usual.boid.Motion.drag = -1: must be 0",
    ),
    "a usual value too high": (with_meta(usual={"boid": {"Motion": {"drag": 10**400}}}), "usual.boid.Motion.drag"),
    "a usual value in words": (
        with_meta(usual={"boid": {"Motion": {"drag": "x"}}}),
        "usual.boid.Motion.drag = 'x': must",
    ),
    "a system of a mod": (with_meta(systems={"magnetism": {}}), "needs the system 'magnetism', which this program"),
    "a system's parameter": (with_meta(systems={"commit": {"reorder_every": 0}}), "must be 1 to 1,000,000 (ticks)"),
    "a system that must be on": (with_meta(systems={"commit": {"enabled": False}}), "can't be disabled"),
    "a system that is half on": (with_meta(systems={"wander": {"enabled": 1}}), "wander.enabled = 1: must be true or"),
    "resources to come": (with_meta(resources={"tallies": {}}), "holds resources that this version does not know: tal"),
    "a ledger as a list": (with_meta(resources={"Ledger": []}), "resources.Ledger = []: must be a table"),
    "a ledger of something else": (
        with_meta(resources={"Ledger": {"birth": 1}}),
        'resources.Ledger.birth: unknown key; did you mean "births"?',
    ),
    "a ledger below 0": (with_meta(resources={"Ledger": {"burned": -1}}), "Ledger.burned = -1: must be 0 to 1e+30"),
    "a ledger of halves": (with_meta(resources={"Ledger": {"lost": 0.5}}), "Ledger.lost = 0.5: must be a whole number"),
    "a ledger that says yes": (
        with_meta(resources={"Ledger": {"births": True}}),
        "Ledger.births = True: must be a number",
    ),
    "a ledger without end": (
        with_meta(resources={"Ledger": {"regrown": 10**400}}),
        "regrown = 100000000000000000000000000000000000000000000000000000000000: must be 0 to",
    ),
    "a ledger that shouts": (with_meta(resources={"Ledger": {"\x1b[31m" * 9999: 1}}), "Ledger.\ufffd[31m"),
    "a ledger and more": (
        with_meta(resources={"Ledger": {}, "tallies": {}}),
        "holds resources that this version does not know: tallies",
    ),
    "a hand as a list": (with_meta(resources={"Hand": []}), "resources.Hand = []: must be a table"),
    "a hand that is nowhere": (
        with_meta(resources={"Hand": {"x": None, "y": 1, "strength": 1, "radius": 1}}),
        "resources.Hand.x = None: null has no meaning here",
    ),
    "a hand too strong": (
        with_meta(resources={"Hand": {"x": 1, "y": 1, "strength": 1e7, "radius": 1}}),
        "resources.Hand.strength = 10000000.0: must be -1,000,000 to 1,000,000 (u/s²)",
    ),
    "a required mod": (with_meta(mods={"required": ["magnet"]}), "the mod magnet is not enabled"),
    "a resource that shouts": (with_meta(resources={"a\n\x1b[31m" * 500: 1}), "does not know: a; \ufffd[31m"),
    "mods in words": (with_meta(mods={"optional": "magnet"}), "mods.optional = 'magnet': must be a list"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_changed_snapshot_is_refused(case: str, arrays: Arrays, tmp_path: Path) -> None:
    change, words = CASES[case]
    assert words in refusal(tmp_path / "a.boids", snapshot_of(member_of(change(arrays))))


def test_the_same_arrays_unchanged_are_read(arrays: Arrays, tmp_path: Path) -> None:
    (tmp_path / "a.boids").write_bytes(snapshot_of(member_of(arrays)))
    with opening.load(tmp_path / "a.boids") as simulation:
        assert simulation.populations() == {"boid": BOIDS}


def header(descr: str, shape: str = "()") -> bytes:
    padded = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".ljust(118) + "\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded.encode()


STARTS = {
    "a terabyte": header("[('meta', '|u1', (1000000000000,))]"),
    "less than nothing": header("[('meta', '|u1', (-1,))]"),
    "more than there is": header("[('meta', '|u1', (9,))]"),
    "less than there is": header("[('meta', '|u1', (9,))]") + bytes(10),
    "gaps": header("[('meta', '|u1', (9,)), ('', '|V9')]") + bytes(18),
    "an array": header("'<f4'", "(2,)") + bytes(8),
    "many records": header("[('meta', '|u1', (2,))]", "(2,)") + bytes(4),
    "a deep header": header("(" * 900),
    "a deep type": header("[('a', " * 90 + "'<f4'" + ")]" * 90) + bytes(4),
    "a header of 60,000 characters": header(" " * 60_000),
    "a header that calls": header("__import__('os').abort()"),
    "a strange dtype": header("'i4,,f'"),
    "no header": b"",
    "a pickle": pickle.dumps([1, 2]),
    "many arrays": member_of({f"a{n}": np.zeros(1, np.int64) for n in range(5000)}),
    "zeros": bytes(200 << 20),
    "a huge header": b"\x93NUMPY\x02\x00" + (200 << 20).to_bytes(4, "little") + bytes(99),
}


@pytest.mark.parametrize("start", STARTS)
def test_what_is_no_state_is_refused_in_little_memory(start: str, tmp_path: Path) -> None:
    content = snapshot_of(STARTS[start])
    tracemalloc.start()
    try:
        assert "start.npy" in refusal(tmp_path / "a.boids", content)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("extra", [{}, {"prefab": array([0, 0], np.int32)}])
def test_a_snapshot_of_nobody_is_empty(extra: Arrays, arrays: Arrays, tmp_path: Path) -> None:
    content = snapshot_of(member_of({"meta": arrays["meta"], "prefab": array([], np.int32), **extra}))
    if extra:
        assert "prefab has 2 values, and must have 0" in refusal(tmp_path / "a.boids", content)
    else:
        (tmp_path / "a.boids").write_bytes(content)
        with opening.load(tmp_path / "a.boids") as simulation:
            simulation.step(2)
            assert simulation.populations() == {}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is damaged or not a recording"),
        (b"format = 1\n" * 100, "is damaged or not a recording"),
        (pickle.dumps({"a": 1}), "is damaged or not a recording"),
        (b"\x93NUMPY" + bytes(500), "is damaged or not a recording"),
        (zipped({}), "recording.json is missing"),
        (zipped({"a.txt": b"text"}), "holds 'a.txt', which is not part of a recording"),
        (zipped({"../../evil.npy": b""}), "holds '../../evil.npy', which is not part of a recording"),
        (
            zipped({f"copies/{n}.npy": b"" for n in range(5000)}),
            "holds more than the 4096 members",
        ),
    ],
)
def test_a_foreign_file_is_refused(content: bytes, words: str, tmp_path: Path) -> None:
    assert words in refusal(tmp_path / "a.boids", content)


def test_a_file_of_numpy_is_told_what_worlds_are(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=np.zeros(3))
    assert "is not a world: scenes are .toml files, and recordings and snapshots .boids files" in refusal(
        tmp_path / "a.npz", (tmp_path / "a.npz").read_bytes()
    )


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"a\.boids: can't be read: no such file or directory"):
        opening.load(tmp_path / "a.boids")
    (tmp_path / "b.boids").mkdir()
    with pytest.raises(RecordingError, match=r"recording\.json is missing"):
        opening.load(tmp_path / "b.boids")


def test_a_member_named_twice_is_refused(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.boids").write_bytes(whole)
    with zipfile.ZipFile(tmp_path / "a.boids", "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("start.npy", b"")
    assert "holds 'start.npy' twice" in refusal(tmp_path / "a.boids", (tmp_path / "a.boids").read_bytes())


def test_unknown_packing_is_refused(whole: bytes, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.boids", "w", zipfile.ZIP_LZMA) as archive:
        for name, data in members_of(whole).items():
            archive.writestr(name, data)
    said = refusal(tmp_path / "a.boids", (tmp_path / "a.boids").read_bytes())
    assert "is packed in a way that those of a recording are not" in said


def test_a_snapshot_cut_short_anywhere_is_refused(whole: bytes, tmp_path: Path) -> None:
    for length in [*range(0, len(whole), 97), len(whole) - 1]:
        assert refusal(tmp_path / "a.boids", whole[:length])


@some_or_many
def test_a_damaged_snapshot_is_refused_or_read(whole: bytes, count: int, tmp_path: Path) -> None:
    """A few bytes that nothing checks may change unseen (times, comments); none may raise anything else."""
    for mutant in byte_mutants(whole, count):
        (tmp_path / "damaged.boids").write_bytes(mutant)
        assert living_in(tmp_path / "damaged.boids") in (None, BOIDS)


def living_in(path: Path) -> int | None:
    """How many live in a snapshot; None where it is refused."""
    try:
        with opening.load(path) as simulation:
            return simulation.world.table.size
    except RecordingError:
        return None


BOMBS: dict[str, Callable[[Arrays], Arrays]] = {
    "a huge meta": lambda m: {**m, "meta": array(np.zeros(200 << 20, np.uint8), np.uint8)},
    "huge serials": lambda m: {**m, "Position": array(np.zeros(25 << 20, np.int64), np.int64)},
    "a huge field": lambda m: {**m, "Position.x": array(np.zeros(50 << 20, np.float32), np.float32)},
    "a huge unknown array": lambda m: {**m, "Evil": array(np.zeros(25 << 20, np.int64), np.int64)},
    "a million times serial 0": lambda m: {**m, "Position": array(np.zeros(1_000_000, np.int64), np.int64)},
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_of_zeros_is_refused_in_little_memory(bomb: str, arrays: Arrays, tmp_path: Path) -> None:
    content = snapshot_of(member_of(BOMBS[bomb](arrays)))
    assert len(content) < 2_000_000
    tracemalloc.start()
    try:
        refusal(tmp_path / "a.boids", content)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_other_counts_in_the_directory_of_zip64_are_not_gone_by(whole: bytes, tmp_path: Path) -> None:
    begin, end = whole[:-22], whole[-22:]
    count, size, offset = struct.unpack("<10xHLL2x", end)
    large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(begin), 1)
    content = begin + large + locator + end
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    assert refusal(tmp_path / "large.boids", content).startswith("is damaged or not a recording")
