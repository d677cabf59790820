"""Texts and lists in resources: from one declaration follow scenes, checks, snapshots, digests, undo and reloads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sandbox
from components.store.declare import colour, component, integer, number, quantity, several, text
from components.store.resources import resource
from sandbox.edit import Redo, SetResource, Undo
from sandbox.mods.load.assembly import assembled
from sandbox.mods.load.together import mods_from
from sandbox.mods.run.upgrade import UseMods
from sandbox.scenes.schema import schema
from sandbox.scenes.writer import scene_text
from sandbox.toml.mistakes import SceneError
from systems.engine.system import System
from tests.edits import do
from tests.mods import write_mod

NAMES = """
from sandbox.api import *

@resource
class Names:
    '''What young are called.'''

    motto: str = text("", 20, "what is written on the flag")
    given: tuple[str, ...] = several(text("", 8, "a name"), 4, "names of the young", default=["Ada", "Bo"])
    chances: tuple[float, ...] = several(number(0, "", 0, 0.1, "a chance"), 3, "how likely each is")
    kinds: tuple[str, ...] = several(choice("late", "early", default="late", help="when"), 3, "when they come")
    inks: tuple[int, ...] = several(colour("#000000", "an ink"), 2, "what they are written in")

class Naming(System):
    phase = Phase.LIFE
    writes = (Names,)

    def run(self, world):
        names = world.resource(Names)
        if world.tick == 3:
            names.motto, names.given = "tick three", [*names.given, "Cy"]

def install(app):
    app.add_resource(Names)
    app.add_system(Naming)
"""
SCENE = """\
format = 1
mods.required = ["names"]

[resources.Names]
motto = "Ahoi – \\"fly\\""
chances = [0.1, 0.05]
kinds = ["early"]
inks = ["#112233"]

[[spawn]]
prefab = "boid"
"""


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    return write_mod(tmp_path / "names", NAMES)


def names(sim: Any) -> Any:
    return sim.world.resource(sim.world.declared["Names"])


def test_a_scene_gives_them_and_a_saved_one_has_them(mod: Path) -> None:
    with sandbox.loads(SCENE, mods=[mod]) as sim:
        now = names(sim)
        assert (now.motto, now.given, now.kinds, now.inks) == ('Ahoi – "fly"', ("Ada", "Bo"), ("early",), (0x112233,))
        assert now.kinds[0] != "late"
        with pytest.raises(ValueError, match="must be one of late, early"):
            _ = now.kinds[0] == "soon"
        do(sim, SetResource("Names.given", ["Cy"]))
        written = scene_text(sim)
    for line in ('motto = "Ahoi – \\"fly\\""', "chances = [0.1, 0.05]", 'given = ["Cy"]', 'inks = ["#112233"]'):
        assert line in written


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("motto = 5", "must be a text in one line, of at most 20 characters"),
        (f'motto = "{"x" * 21}"', "must be a text in one line, of at most 20 characters"),
        ('motto = "two\\nlines"', "must be a text in one line"),
        ('given = "Ada"', "must be a list of at most 4 entries"),
        ('given = ["a", "b", "c", "d", "e"]', "must be a list of at most 4 entries"),
        ('given = ["a", "far too long"]', "entry 2 must be a text in one line, of at most 8 characters"),
        ("chances = [0.05, 0.2]", "entry 2 must be 0 to 0.1"),
        ('kinds = ["soon"]', "entry 1 must be one of late, early"),
    ],
)
def test_a_wrong_one_is_told_with_its_place(mod: Path, line: str, wrong: str) -> None:
    key = line.split(" ")[0]
    kept = "\n".join(known for known in SCENE.splitlines() if not known.startswith(key))
    with pytest.raises(SceneError) as refused:
        sandbox.loads(kept.replace("[resources.Names]", f"[resources.Names]\n{line}"), mods=[mod])
    assert wrong in str(refused.value)
    assert "untitled:5:" in str(refused.value)


def test_a_snapshot_keeps_them_and_the_digest_sees_them(mod: Path, tmp_path: Path) -> None:
    with sandbox.loads(SCENE, mods=[mod]) as sim:
        before = sim.digest()
        names(sim).motto = "other"
        assert sim.digest() != before
        sim.step(5)
        assert (names(sim).motto, names(sim).given) == ("tick three", ("Ada", "Bo", "Cy"))
        sim.save(tmp_path / "names.boids")
        with sandbox.load(tmp_path / "names.boids", mods=[mod]) as opened:
            assert names(opened) == names(sim)
            assert opened.digest() == sim.digest()


def test_a_command_sets_them_with_undo_and_redo(mod: Path) -> None:
    with sandbox.loads(SCENE, mods=[mod]) as sim:
        digest = sim.digest()
        do(sim, SetResource("Names.chances", [0.01]))
        assert names(sim).chances == pytest.approx((0.01,))
        do(sim, Undo())
        assert sim.digest() == digest
        do(sim, Redo())
        assert len(names(sim).chances) == 1
        with pytest.raises(ValueError, match=r"Names.chances = .*entry 1 must be 0 to 0.1"):
            sim.submit(SetResource("Names.chances", [7]))


def test_what_is_read_may_be_set(mod: Path) -> None:
    with sandbox.loads(SCENE, mods=[mod]) as sim:
        now = names(sim)
        before = dict(now.stored)
        for name in now.fields:
            setattr(now, name, getattr(now, name))
        assert now.stored == before


def test_a_newer_version_of_the_mod_keeps_what_fits(mod: Path, tmp_path: Path) -> None:
    shorter = NAMES.replace('"", 20,', '"", 4,').replace("0, 0.1,", "0, 0.0625,").replace('"a chance"), 3', '"a"), 1')
    newer = write_mod(tmp_path / "newer" / "names", shorter, version="1.1")
    with sandbox.loads(SCENE, mods=[mod]) as sim:
        do(sim, UseMods(mods_from([newer]).loaded))
        assert (names(sim).motto, names(sim).chances, names(sim).kinds) == ("Ahoi", (0.0625,), ("early",))


def test_the_schema_says_what_they_may_be(mod: Path) -> None:
    tables = schema(assembled(mods_from([mod]).loaded).app)["properties"]["resources"]["properties"]
    told = tables["Names"]["properties"]
    assert told["motto"]["maxLength"] == 20
    assert told["given"]["items"] == {"type": "string", "maxLength": 8}
    assert (told["given"]["maxItems"], told["given"]["default"]) == (4, ["Ada", "Bo"])
    assert told["chances"]["items"] == {"type": "number", "minimum": 0, "maximum": 0.1}


@pytest.mark.parametrize(
    ("declare", "wrong"),
    [
        (lambda: text("too long", 3, ""), "default = 'too long': must be a text in one line, of at most 3"),
        (lambda: text("", 20_000, ""), "longest = 20000: must be a whole number, 1 to 10,000"),
        (lambda: several(number(0, "", 0, 1, ""), 0, ""), "most = 0: must be a whole number, 1 to 10,000"),
        (lambda: several(quantity(0, 0, 1, ""), 5, ""), "a list is of one kind"),
        (lambda: several(str, 5, ""), "a list is of one kind"),
        (lambda: several(integer(0, "", 0, 9, ""), 5, "", default=[1, 10]), "entry 2 must be 0 to 9"),
        (lambda: several(colour("#000000", ""), 2, "", default="#000000"), "must be a list of at most 2 entries"),
    ],
)
def test_a_wrong_declaration_is_refused(declare: Any, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        declare()


def test_components_and_systems_hold_none() -> None:
    with pytest.raises(ValueError, match=r"Hat\.words: only a resource can hold a count, text, list or grid"):
        component(type("Hat", (), {"words": text("", 9, "what it says")}))
    with pytest.raises(ValueError, match=r"Hatting\.words: only a resource can hold a grid, text or list"):
        type("Hatting", (System,), {"words": several(text("", 9, ""), 3, "what it says")})


def test_no_list_is_shared_by_two_worlds() -> None:
    @resource
    class Words:
        """Said."""

        said: tuple[str, ...] = several(text("", 9, ""), 3, "what was said")

    one, other = Words(), Words()
    one.said = [*one.said, "hush"]  # type: ignore[assignment]
    assert (one.said, other.said) == (("hush",), ())
