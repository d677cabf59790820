"""Shapes of a mod's own for `Look.shape`: drawn as they are designed, kept by name, and missed by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from components.look import SHAPES
from components.store.words import ROOM, OpenChoice
from sandbox.files.container import RecordingError
from sandbox.mods.load.loading import LoadError
from sandbox.mods.load.together import mods_from
from sandbox.opening import load
from sandbox.scenes.writer import scene_text
from tests.mods import write_mod
from tests.recordings import member_of, meta_in, snapshot_of, state_in, with_meta

from .test_mod_recipes import RECIPES

(KITES,) = (text for text in RECIPES if "add_shape" in text)
SCENE = """\
format = 1
[world]
size = [640, 360]
backdrop = "slate"
[[spawn]]
prefab = "kite"
at = [320, 180]
velocity = [60, 0]
Look = { size = 100, colour = "#ff0000" }
"""


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    return write_mod(tmp_path / "kites", KITES)


def test_it_is_drawn_as_it_is_designed(mod: Path) -> None:
    with sandbox.loads(SCENE, mods=[mod]) as sim:
        assert sim.column("Look.shape").tolist() == ["kite"]
        picture = np.asarray(sim.picture(size=(640, 360))).astype(int)
    red = np.argwhere((picture[..., 0] > 120) & (picture[..., 1] < 60))[:, ::-1] + 0.5
    assert red.min(0) == pytest.approx((220, 130), abs=3)  # from -1 to 1 along, from -0.5 to 0.5 across
    assert red.max(0) == pytest.approx((420, 230), abs=3)
    assert len(red) == pytest.approx(10_000, rel=0.05)


def test_scenes_and_snapshots_keep_its_name_and_say_which_mod_is_missing(mod: Path, tmp_path: Path) -> None:
    with sandbox.loads(SCENE, mods=[mod]) as sim:
        written, digest = scene_text(sim), sim.digest()
        sim.save(tmp_path / "kite.boids")
    assert 'required = ["kites >= 1.0"]' in written
    with sandbox.loads(written, mods=[mod]) as again:
        assert again.column("Look.shape").tolist() == ["kite"]
    with sandbox.load(tmp_path / "kite.boids", mods=[mod]) as again:
        assert again.column("Look.shape").tolist() == ["kite"]
        assert again.digest() == digest
    for open_it in (lambda: sandbox.loads(written, mods=[]), lambda: sandbox.load(tmp_path / "kite.boids", mods=[])):
        with pytest.raises(ValueError, match="kites"):
            open_it()


def test_a_plain_boid_may_have_it_and_then_the_mod_is_named_too(mod: Path) -> None:
    with sandbox.new(mods=[mod]) as sim:
        sim.spawn("boid")
        assert "required" not in scene_text(sim)
        sim.set("Look.shape", "kite")
        assert "kites >= 1.0" in scene_text(sim)
        with pytest.raises(ValueError, match="did you mean 'kite'"):
            sim.set("Look.shape", "kites")


def test_a_snapshot_with_another_number_or_an_unknown_name_is_read_by_name(mod: Path, tmp_path: Path) -> None:
    with sandbox.loads(SCENE, mods=[mod]) as sim:
        sim.save(tmp_path / "kite.boids")
    state, known = state_in(tmp_path / "kite.boids"), SHAPES.index("kite")
    other = next(n for n in range(20, ROOM) if n not in SHAPES.numbers)
    assert meta_in(tmp_path / "kite.boids")["shapes"] == {"kite": known}
    for name, shape in (("moved", "kite"), ("lost", "dragon")):
        changed = {**with_meta(state, shapes={shape: other}), "Look.shape": np.array([other], np.int32)}
        (tmp_path / f"{name}.boids").write_bytes(snapshot_of(member_of(changed)))
    with sandbox.load(tmp_path / "moved.boids", mods=[mod]) as again:
        assert again.column("Look.shape").tolist() == ["kite"]
    with pytest.raises(RecordingError, match="needs the shape 'dragon', which this program lacks: enable the mod"):
        load(tmp_path / "lost.boids", mods=mods_from([mod])).close()


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        ('"Kite", [(1, 0), (0, 1), (-1, 0)]', "add_shape got the name 'Kite': must be lower-case"),
        ('"bird", [(1, 0), (0, 1), (-1, 0)]', "there is already a shape 'bird': rename yours"),
        ('"dart", [(1, 0), (0, 1)]', "the shape 'dart': must be a list of 3 to 14 corners"),
        ('"dart", [(1, 0), (0, 2), (-1, 0)]', "corners (x, y) from -1 to 1"),
        ('"dart", [(1, 0), (0, float("nan")), (-1, 0)]', "corners (x, y) from -1 to 1"),
        ('"dart", [(1, 0), (0, 0), (-1, 0)]', "of which the first sees all others"),
        ('"dart", [(1, 0), (-1, 1), (-0.5, 0), (-1, -1), (0, -0.1), (-1, -0.5)]', "of which the first sees all others"),
        ('"dart", "dart"', "the shape 'dart': must be a list"),
    ],
)
def test_a_wrong_one_is_refused(tmp_path: Path, call: str, wrong: str) -> None:
    mod = write_mod(tmp_path / "bad", f"def install(app):\n    app.add_shape({call})\n")
    with pytest.raises(LoadError) as refused:
        load("ronan", mods=mods_from([mod])).close()
    assert wrong in str(refused.value)
    assert "dart" not in SHAPES


def test_two_mods_with_one_name_are_told(mod: Path, tmp_path: Path) -> None:
    other = write_mod(tmp_path / "other", 'def install(app):\n    app.add_shape("kite", [(1, 0), (0, 1), (-1, 0)])\n')
    with pytest.raises(LoadError, match="there is already a shape 'kite' in the mod kites: rename yours"):
        load("ronan", mods=mods_from([mod, other])).close()


def test_a_word_has_its_number_whatever_else_there_is() -> None:
    one, other = OpenChoice("a", "b"), OpenChoice("a", "b")
    words = [f"word{n}" for n in range(8)]
    for word in words:
        one.add(word)
    for word in (*reversed(words), "word0"):
        other.add(word)
    assert [one.index(word) for word in words] == [other.index(word) for word in words]
    assert (one.index("a"), one.index("b"), len(one), one[one.index("word3")]) == (0, 1, 10, "word3")
    for n in range(ROOM - 10):
        one.add(f"more{n}")
    assert sorted(one.numbers) == [*range(ROOM)]
    with pytest.raises(ValueError, match="no room for 'last'"):
        one.add("last")
