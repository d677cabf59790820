"""Dependency first, then natural order of ids; and each mod that is not to be loaded says why."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sandbox.mods.find.finding import Found, Origin
from sandbox.mods.find.load_order import Order, in_order
from tests.mods import found


@pytest.fixture(autouse=True)
def mods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "mods"


def ids(order: Order) -> list[str]:
    return [mod.manifest.id for mod in order.mods if mod.manifest]


def reasons(order: Order) -> dict[str, str]:
    return {mod.folder.name: why for mod, why in order.refused.items()}


def all_of(*mods: Found) -> Order:
    return in_order(mods, [mod.manifest.id for mod in mods if mod.manifest])


def test_without_dependencies_ids_stand_in_natural_order(mods: Path) -> None:
    assert ids(all_of(*(found(mods / id) for id in ("wind10", "b", "wind9", "a")))) == ["a", "b", "wind9", "wind10"]


def test_a_dependency_goes_first_and_an_optional_one_where_it_is_there(mods: Path) -> None:
    a = found(mods / "a", depends=["z"], optional=["y", "x"])
    z, y, b = found(mods / "z"), found(mods / "y"), found(mods / "b")
    assert ids(all_of(a, b, y, z)) == ["b", "y", "z", "a"]
    assert ids(in_order([a, b, y, z], ["a", "b", "z"])) == ["b", "z", "a"]


def test_what_is_not_wanted_is_neither_loaded_nor_refused(mods: Path) -> None:
    order = in_order([found(mods / "a"), found(mods / "b", depends=["nothing"])], ["a", "gone"])
    assert ids(order) == ["a"]
    assert not order.refused


def test_a_missing_dependency_says_how_to_help(mods: Path) -> None:
    order = all_of(
        found(mods / "a", depends=["wind >= 1.2"]), found(mods / "b", depends=["a"]), found(mods / "c", depends=["wnd"])
    )
    assert not order.mods
    assert reasons(order) == {
        "a": "needs wind>=1.2, which is missing: put its folder beside this one",
        "b": "needs a, which can't be loaded itself",
        "c": "needs wnd, which is missing: put its folder beside this one",
    }
    order = all_of(found(mods / "c", depends=["wnd"]), found(mods / "wind"))
    assert reasons(order) == {"c": 'needs wnd, which is missing: did you mean "wind"?'}


def test_an_outdated_dependency_is_told_with_its_version_also_an_optional_one(mods: Path) -> None:
    wind = found(mods / "wind", version="1.1")
    a, b = found(mods / "a", depends=["wind >= 1.2"]), found(mods / "b", optional=["wind < 1.0"])
    order = all_of(a, b, wind)
    assert ids(order) == ["wind"]
    assert reasons(order) == {
        "a": "needs wind>=1.2, but 1.1 is there: put the right version there",
        "b": "needs wind<1.0, but 1.1 is there: put the right version there",
    }
    assert ids(in_order([a, b, wind], ["b"])) == ["b"]


def test_a_dependency_that_is_not_enabled_is_a_reason(mods: Path) -> None:
    order = in_order([found(mods / "a", depends=["wind"]), found(mods / "wind")], ["a"])
    assert reasons(order) == {"a": "needs wind, which is not enabled: enable wind too"}


def test_a_circle_is_told_from_each_of_its_mods_and_those_beyond_it_need_them(mods: Path) -> None:
    order = all_of(
        found(mods / "a", depends=["b"]),
        found(mods / "b", optional=["c", "e"]),
        found(mods / "c", depends=["a"]),
        found(mods / "d", depends=["c"]),
        found(mods / "e"),
    )
    assert ids(order) == ["e"]
    assert reasons(order) == {
        "a": "circular dependency: a -> b -> c -> a",
        "b": "circular dependency: b -> c -> a -> b",
        "c": "circular dependency: c -> a -> b -> c",
        "d": "needs c, which can't be loaded itself",
    }


def test_a_conflict_refuses_both_and_only_in_the_versions_it_names(mods: Path) -> None:
    a, gravity = found(mods / "a", conflicts=["gravity < 3"]), found(mods / "gravity", version="2.9")
    b = found(mods / "b", depends=["gravity"])
    order = all_of(a, gravity, b)
    assert reasons(order) == {
        "a": "conflicts with gravity 2.9: disable one of them",
        "gravity": "conflicts with a 1.0: disable one of them",
        "b": "needs gravity, which can't be loaded itself",
    }
    assert ids(in_order([a, gravity, b], ["gravity", "b"])) == ["gravity", "b"]
    assert ids(all_of(a, found(mods / "gravity", version="3.0"))) == ["a", "gravity"]


def test_what_can_not_be_loaded_anyway_conflicts_with_nobody(mods: Path) -> None:
    order = all_of(found(mods / "a", conflicts=["b"], depends=["nothing"]), found(mods / "b"))
    assert ids(order) == ["b"]


def test_a_mod_of_a_newer_api_is_refused(mods: Path) -> None:
    order = all_of(found(mods / "a", api=2))
    assert reasons(order) == {"a": "needs version 2 of sandbox.api, and this program has 1: update it"}


def test_of_one_id_the_origin_that_goes_first_is_taken(mods: Path, tmp_path: Path) -> None:
    own = found(tmp_path / "own" / "a", Origin.OWN, version="2.0")
    working = found(mods / "a", Origin.WORKING)
    for order in (all_of(own, working), all_of(working, own)):
        assert order.mods == (working,)
        assert dict(order.refused) == {own: "mods/a (the working folder) has the same id and takes precedence"}


def test_twice_in_one_origin_both_are_refused_also_where_nobody_wants_them(mods: Path, tmp_path: Path) -> None:
    one, two = found(mods / "a"), found(mods / "copy_of_a", id="a")
    bundled = found(tmp_path / "bundled" / "a", Origin.BUNDLED)
    for wanted in ([], ["a"]):
        order = in_order([bundled, two, one], wanted)
        assert not order.mods
        assert dict(order.refused) == {
            one: "mods/copy_of_a has the same id: remove one of them or change its id",
            two: "mods/a has the same id: remove one of them or change its id",
            bundled: "mods/a (the working folder) has the same id and takes precedence",
        }


def test_what_can_not_be_read_is_refused_for_that(mods: Path) -> None:
    wrong = Found(mods / "x", Origin.WORKING, None, "mods/x/mod.toml:1:1: must have id")
    order = in_order([wrong, found(mods / "a")], ["a"])
    assert ids(order) == ["a"]
    assert dict(order.refused) == {wrong: wrong.wrong}


def test_a_hundred_shuffled_discoveries_give_one_order(mods: Path, tmp_path: Path) -> None:
    """Of 40 mods with dependencies, doubles, conflicts and circles."""
    dice = random.Random(5)
    all_mods = []
    for n in range(40):
        id = f"m{n}"
        keys = {
            "depends": [f"m{k} >= 1.0" for k in dice.sample(range(max(n - 12, 0), n + 1), min(n, 2)) if k != n],
            "optional": [f"m{k}" for k in dice.sample(range(40), 1) if k < n or (n % 13 == 0 and k != n)],
            "conflicts": [f"m{dice.randrange(20)}"] if n == 25 else [],
        }
        all_mods.append(found(mods / id, Origin.WORKING, **keys))
        if n % 9 == 5:
            all_mods.append(found(tmp_path / "other" / id, dice.choice(list(Origin)), version="2.0"))
    wanted = [f"m{n}" for n in range(40) if n != 33]
    first = in_order(all_mods, wanted)
    assert len(first.mods) > 5
    assert len(first.refused) > 5
    for _ in range(100):
        dice.shuffle(all_mods)
        dice.shuffle(wanted)
        again = in_order(all_mods, wanted)
        assert (again.mods, again.refused) == (first.mods, first.refused)
    index_of = {mod.manifest.id: index for index, mod in enumerate(first.mods) if mod.manifest}
    for mod in first.mods:
        assert mod.manifest
        assert all(index_of[needed.id] < index_of[mod.manifest.id] for needed in mod.manifest.depends)
