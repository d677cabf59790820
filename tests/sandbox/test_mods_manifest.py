"""A mod.toml is read whole, or every mistake in it is told with its place and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sandbox.mods.find.manifest import Manifest, ModError, read_manifest
from sandbox.mods.find.versions import LONGEST_ID, Requirement, natural, read_id, read_version
from tests.mods import write_mod

GOOD = """\
id = "magnet"
version = "1.0"
api = 1
title = "Magnets"
description = "Draw a boid after you."
depends = ["wind >= 1.2"]
optional = ["food"]
conflicts = ["gravity < 3"]
entry = "magnet:install"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A mod's folder, `mods/magnet` of the working folder."""
    monkeypatch.chdir(tmp_path)
    return write_mod(tmp_path / "mods" / "magnet")


def mistakes(folder: Path, text: str | bytes) -> list[str]:
    (folder / "mod.toml").write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(ModError) as caught:
        read_manifest(folder)
    lines = str(caught.value).splitlines()
    assert all(line.startswith("mods/magnet/mod.toml:") for line in lines)
    return [line.removeprefix("mods/magnet/mod.toml:") for line in lines]


def test_all_that_it_says_is_read(folder: Path) -> None:
    (folder / "mod.toml").write_text(GOOD)
    assert read_manifest(folder) == Manifest(
        id="magnet",
        version=read_version("1.0"),
        api=1,
        title="Magnets",
        description="Draw a boid after you.",
        depends=(Requirement("wind >= 1.2"),),
        optional=(Requirement("food"),),
        conflicts=(Requirement("gravity < 3"),),
        module="magnet",
        function="install",
    )


def test_four_keys_are_enough(folder: Path) -> None:
    manifest = read_manifest(folder)
    assert (manifest.title, manifest.description, manifest.depends) == ("magnet", "", ())


ID = "must be lower case letters, digits and _, at most 40, a letter first"
INSTALL = '"magnet:install"'
ENTRY = f"must be a file of this folder, without .py, and a function in it: {INSTALL}"


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("id =", "idd =", ['1:1: idd: unknown key; did you mean "id"?', "1:1: must have id"]),
        ("conflicts", "conflict", ['8:1: conflict: unknown key; did you mean "conflicts"?']),
        ('"1.0"', "1.0", ["2:1: version = 1.0: must be text in quotes"]),
        ('"1.0"', '"one"', ['2:1: version = "one": must be a version: "1.0"']),
        ('"1.0"', f'"1.{"1" * 5000}x"', ['2:1: version = "1.111111111']),
        ("api = 1", "api = 0", ["3:1: api = 0: must be 1 to 1,000,000"]),
        ("api = 1", 'api = "1"', ['3:1: api = "1": must be a number, 1 to 1,000,000']),
        ("api = 1", "api = true", ["3:1: api = true: must be a number, 1 to 1,000,000"]),
        ('"magnet"', '"My Magnet"', [f'1:1: id = "My Magnet": {ID}; did you mean "my_magnet"?']),
        ('"magnet"', '"鳥"', [f'1:1: id = "鳥": {ID}']),
        ('"magnet"', '"class"', ["1:1: id = \"class\": is a word of Python's own: a mod can't be called that"]),
        (
            '"magnet"',
            '"con"',
            ['1:1: id = "con": is a device\'s name on Windows, where no folder can be called that: choose another'],
        ),
        ('"Magnets"', '"a\\nb"', ['4:1: title = "a\\nb": must be one line of at most 200 characters']),
        ('"Draw', f'"{"x" * 200}', [f'5:1: description = "{"x" * 24}']),
        ('["food"]', '"food"', ['7:1: optional = "food": must be a list: ["wind >= 1.2"]']),
        ('["food"]', '["food", 3]', ["7:21: optional[1] = 3: must be text in quotes"]),
        (
            '["food"]',
            '["food >= new"]',
            ['7:13: optional[0] = "food >= new": must be the id of a mod, maybe with versions: "wind >= 1.2"'],
        ),
        ('["food"]', '["magnet"]', ['7:13: optional[0] = "magnet": is the mod itself: optional is for other mods']),
        (INSTALL, '"magnet"', [f'9:1: entry = "magnet": {ENTRY}']),
        (INSTALL, '"../magnet:install"', [f'9:1: entry = "../magnet:install": {ENTRY}']),
        (INSTALL, '"magnets:install"', ['9:1: entry = "magnets:install": there is no magnets.py in this folder; did']),
        ("api = 1", "api = = 1", ["3:7: invalid value"]),
        ("api = 1", 'id = "twice"', ["3:1: is given twice: give each key and table once"]),
    ],
)
def test_one_mistake(folder: Path, good: str, bad: str, expected: list[str]) -> None:
    found = mistakes(folder, GOOD.replace(good, bad, 1))
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected))


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(folder: Path) -> None:
    found = mistakes(folder, 'id = "A"\nversion = "x"\napi = 1\ntitel = "T"\nentry = "m:f"\ndepends = ["Wind"]\n')
    assert [line.split(" ")[0] for line in found] == ["1:1:", "2:1:", "4:1:", "5:1:", "6:12:"]


def test_what_is_no_text_is_refused(folder: Path) -> None:
    assert mistakes(folder, b'id = "\xff"') == ["1:7: not UTF-8: must be a text file, saved as UTF-8"]


def test_of_a_newer_api_unknown_keys_are_no_mistakes(folder: Path) -> None:
    (folder / "mod.toml").write_text(GOOD.replace("api = 1", "api = 2\npermissions = []"))
    assert read_manifest(folder).api == 2
    assert mistakes(folder, GOOD.replace("api = 1", "api = 2").replace("1.0", "")) != []


def test_a_folder_without_a_manifest_says_what_may_be_meant(folder: Path) -> None:
    (folder / "mod.toml").rename(folder / "mods.toml")
    with pytest.raises(ModError, match=r'mods/magnet: there is no mod.toml in it; did you mean "mods.toml"\?'):
        read_manifest(folder)
    with pytest.raises(ModError, match="mods/wind: can't be read: no such file"):
        read_manifest(folder.with_name("wind"))
    (folder / "mod.toml").mkdir()
    with pytest.raises(ModError, match=r"mods/magnet/mod.toml: must be a file"):
        read_manifest(folder)


@pytest.mark.parametrize(
    ("text", "meets", "meets_not"),
    [
        ("wind", ["0", "1.0", "999999999.9"], []),
        ("wind >= 1.2", ["1.2", "1.2.0", "1.10", "2"], ["1.1.9", "1", "0.9"]),
        ("wind<=1.2", ["1.2.0.0", "1.1"], ["1.2.0.1"]),
        (" wind == 1.0 ", ["1", "1.0.0"], ["1.0.1", "0"]),
        ("wind > 1.9", ["1.10"], ["1.9", "1.9.0"]),
        ("wind < 2", ["1.99"], ["2", "2.0"]),
        ("wind >= 1.2, < 2", ["1.2", "1.9"], ["1.1", "2"]),
        ("wind >= 1", ["1.1b2"], ["1b2"]),
    ],
)
def test_a_requirement_is_met_by_some_versions(text: str, meets: list[str], meets_not: list[str]) -> None:
    required = Requirement(text)
    assert required.id == "wind"
    assert all(required.met_by(read_version(version)) for version in meets)
    assert not any(required.met_by(read_version(version)) for version in meets_not)
    assert Requirement(str(required)) == required


@given(st.lists(st.integers(0, 30), min_size=1, max_size=4), st.lists(st.integers(0, 30), min_size=1, max_size=4))
def test_versions_are_ordered_number_by_number_as_if_zeros_followed(one: list[int], other: list[int]) -> None:
    a, b = (read_version(".".join(map(str, numbers))) for numbers in (one, other))
    wide = [numbers + [0] * (4 - len(numbers)) for numbers in (one, other)]
    assert (a < b, a == b) == (wide[0] < wide[1], wide[0] == wide[1])


@given(st.text(max_size=60))
@example("NUL")
@example("Class")
def test_the_id_that_a_mistake_proposes_is_right(text: str) -> None:
    try:
        assert read_id(text) == text
    except ValueError as error:
        proposed = str(error).split('"')[1::2]
        assert all(read_id(id) == id and len(id) <= LONGEST_ID for id in proposed)


def test_numbers_in_ids_are_sorted_by_size() -> None:
    assert sorted(["wind10", "a", "wind2", "wind", "wind02", "b1_3"], key=natural) == [
        "a",
        "b1_3",
        "wind",
        "wind02",
        "wind2",
        "wind10",
    ]


def test_no_manifest_is_larger_than_64_kb(tmp_path: Path) -> None:
    folder = write_mod(tmp_path / "magnet")
    with (folder / "mod.toml").open("ab") as file:
        file.write(b"#" * (64 << 10))
    with pytest.raises(ModError, match=r"mod\.toml: larger than 64 kB"):
        read_manifest(folder)
