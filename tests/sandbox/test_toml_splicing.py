"""A text changes only where it is told to."""

from __future__ import annotations

from typing import Any

import pytest
import tomli

from sandbox.toml.key_places import KeyPath
from sandbox.toml.splicing import SplicedText
from sandbox.toml.text import table, written

TEXT = """\
# top
format = 1 # one

[a]  # of a
x = [1, 2] # x
b = { y = 1.50, z = "é" }  # both
c.d = 3
# below

# apart
[[ spawn ]]
at = 1

[spawn."b c".Look]
size = 1 # small
# between
[[spawn]]

# the end
"""


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("format",), 2, "format = 2 # one"),
        (("a", "x"), [3.5, 4.0], "x = [3.5, 4] # x"),
        (("a", "b", "y"), 7, 'b = { y = 7, z = "é" }  # both'),
        (("a", "b", "w"), False, 'b = { y = 1.50, z = "é", w = false }  # both'),
        (("a", "c", "d"), 4, "c.d = 4"),
        (("a", "c", "e"), 4, "c.e = 4"),
        (("a", "new"), {"k": {"l": "m"}}, 'new = { k = { l = "m" } }'),
        (("spawn", 0, "b c", "Look", "size"), 2, "size = 2 # small"),
        (("spawn", 1, "at"), 2, "at = 2"),
    ],
)
def test_a_value_is_set_and_all_other_lines_stay(path: KeyPath, value: Any, line: str) -> None:
    document = SplicedText(TEXT)
    found: Any = document.data
    for key in path[:-1]:
        found = found[key]
    found[path[-1]] = value
    before, after = TEXT.split("\n"), document.text().split("\n")
    assert [new for new in after if new not in before] == [line]
    assert [old for old in before if old not in after] == (
        [] if len(after) > len(before) else [before[after.index(line)]]
    )
    assert tomli.loads(document.text()) == document.data


@pytest.mark.parametrize(
    ("path", "gone"),
    [
        (("a", "x"), "x = [1, 2] # x\n"),
        (("a", "c"), "c.d = 3\n"),
        (("a",), TEXT[TEXT.index("[a]") - 1 : TEXT.index("\n# apart")]),
        (("spawn", 0), TEXT[TEXT.index("[[ spawn ]]") : TEXT.index("# between")]),
        (("spawn", 0, "b c"), TEXT[TEXT.index("\n[spawn") : TEXT.index("# between")]),
    ],
)
def test_what_is_deleted_goes_and_comments_around_it_stay(path: KeyPath, gone: str) -> None:
    document = SplicedText(TEXT)
    found: Any = document.data
    for key in path[:-1]:
        found = found[key]
    del found[path[-1]]
    assert document.text() == TEXT.replace(gone, "", 1)


def test_a_key_taken_from_braces_leaves_no_comma() -> None:
    document = SplicedText(TEXT)
    del document.data["a"]["b"]["z"]
    assert "b = { y = 1.50 }  # both\n" in document.text()


def test_tables_are_renamed_with_those_in_them() -> None:
    document = SplicedText('[p.a] # a\n[p."b".Look]\n[a.b]\n')
    tables = document.data["p"]
    document.data["p"] = {"b": tables["a"], "c d": tables["b"]}
    assert document.text() == '[p.b] # a\n[p."c d".Look]\n[a.b]\n'


def test_new_tables_stand_where_they_are_in_the_data() -> None:
    document = SplicedText("a = 1\n[[s]]\nb = 1\n[t]\nc = 1", named=["p"])
    old = document.data
    document.data = {"a": 1, "p": {"x": {"y": 1}, "z": {}}, "s": [old["s"][0], {"b": 2}], "t": old["t"], "u": {"v": 3}}
    document.data["t"]["d"] = 2
    assert document.text() == (
        "a = 1\n\n[p.x]\ny = 1\n\n[p.z]\n\n[[s]]\nb = 1\n\n[[s]]\nb = 2\n\n[t]\nc = 1\nd = 2\n\n[u]\nv = 3\n"
    )


def test_what_can_not_be_edited_in_place_is_refused() -> None:
    document = SplicedText("p = { a = { b = 1 } }\n")
    document.data["p"] = {"c": document.data["p"]["a"]}
    with pytest.raises(ValueError, match="keeps its name"):
        document.text()


def test_text_of_a_newer_toml_is_kept() -> None:
    document = SplicedText("[t]\na = {\n  b = 1,\n}\n[u]\nc = 1\n")
    document.data["u"]["c"] = 2
    assert document.text() == "[t]\na = {\n  b = 1,\n}\n[u]\nc = 2\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (-0.0, "-0.0"),
        (1e-5, "1e-05"),
        (1e20, "1e+20"),
        (True, "true"),
        ('a "b"\n', '"a \\"b\\"\\n"'),
        ([1.5, [2.0]], "[1.5, [2]]"),
        ({}, "{}"),
        ({"a b": 1}, '{ "a b" = 1 }'),
    ],
)
def test_values_are_written_as_a_person_would(value: Any, text: str) -> None:
    assert written(value) == text
    assert tomli.loads(f"x = {text}") == {"x": value}


def test_what_is_too_long_for_a_line_gets_a_header_or_lines_of_its_own() -> None:
    wide = {f"number_{n}": n for n in range(12)}
    points = [[n * 100.0, n * 100.5] for n in range(12)]
    text = table(("p", "a b"), {"Wide": wide, "points": points, "small": {"x": 1}})
    assert text.startswith('[p."a b"]\npoints = [\n    [0, 0], [100, 100.5], ')
    assert '\n]\nsmall = { x = 1 }\n\n[p."a b".Wide]\nnumber_0 = 0\n' in text
    assert tomli.loads(text) == {"p": {"a b": {"Wide": wide, "points": points, "small": {"x": 1}}}}
