"""Every key and value of a TOML text is found where it stands, however the text is written."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.toml.key_places import KeyPath, Place, find_places
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import TomlSource

SCALARS = (
    *("1", "-1.5e-3", "0xff", "1_000", "+inf", "nan", "true", "1979-05-27", "1979-05-27 07:32:00.5Z", "07:32:00"),
    *('""', '"a\\"b"', '"[{=,#\\\\"', '"\\e\\x41é"', '"\\u00e9\\\\"', "''", "'\\'", "'[\"#'", "'é🐦'"),
    *('"""a\n"b" ""c\\""""', '"""\\\n  """', '"""x\\\\"""', '"""\n\\e # ]\n"""""', "'''\n[a]\n'b' ''\\'''''"),
)
KEYS = ("a", "b-1", "3", "1e5", '"é.x"', "'q #'", '"\\u0062=\\""', '""')
GAPS = ("", " ", "\t ")
BREAKS = ("", " ", "\n", "  # ]}, é\n\n", "\r\n ")


class Writer:
    """Writes a random text of TOML 1.1, and notes where it has put what.

    Attributes:
        places: of every path, in the order in which they are written: line, column, and the value if it has one.
    """

    def __init__(self, random: Random) -> None:
        self.text, self.random = "", random
        self.places: dict[KeyPath, Place] = {}
        self.names = iter(range(1_000_000))

    def document(self) -> str:
        self.pairs(())
        for _ in range(self.random.randrange(6)):
            self.random.choice((self.table, self.array_of_tables))()
        return self.text

    def table(self) -> None:
        self.put(self.any_of(GAPS), "[", self.any_of(GAPS))
        path = self.key(())
        self.put(self.any_of(GAPS), "]", self.end_of_line())
        self.pairs(path)

    def array_of_tables(self) -> None:
        name = f"t{next(self.names)}"
        for element in range(self.random.randrange(1, 4)):
            self.put("[[", self.any_of(GAPS))
            self.note((name,))
            self.note((name, element))
            self.put(name, self.any_of(GAPS), "]]", self.end_of_line())
            self.pairs((name, element))
            if self.random.random() < 0.5:
                self.put("[", name, ".")
                self.note((name, element, "in"))
                self.put("in]", self.end_of_line())
                self.pairs((name, element, "in"))

    def pairs(self, path: KeyPath) -> None:
        for _ in range(self.random.randrange(4)):
            self.put(self.any_of(GAPS))
            self.pair(path, 3)
            self.put(self.end_of_line())

    def pair(self, path: KeyPath, depth: int) -> None:
        path = self.key(path)
        self.put(self.any_of(GAPS), "=", self.any_of(GAPS))
        self.value(path, depth)

    def key(self, path: KeyPath) -> KeyPath:
        """A key that stands nowhere else, maybe a dotted one."""
        for part in [f"k{next(self.names)}", *self.random.choices(KEYS, k=self.random.choice((0, 0, 1, 2)))]:
            path = (*path, next(iter(tomli.loads(f"{part} = 0"))))
            self.note(path)
            self.put(part, self.any_of(GAPS), ".", self.any_of(GAPS))
        self.text = self.text.rstrip(" \t").removesuffix(".")
        return path

    def value(self, path: KeyPath, depth: int) -> None:
        begin, kind = len(self.text), self.random.randrange(4 if depth else 2)
        if kind < 2:
            self.put(self.any_of(SCALARS))
        elif kind == 2:
            self.members("[]", lambda n: self.element((*path, n), depth - 1))
        else:
            self.members("{}", lambda n: self.pair(path, depth - 1))
        self.places[path] = self.places[path]._replace(written=self.text[begin:])

    def element(self, path: KeyPath, depth: int) -> None:
        self.note(path)
        self.value(path, depth)

    def members(self, brackets: str, write: Callable[[int], None]) -> None:
        self.put(brackets[0], self.any_of(BREAKS))
        for n in range(self.random.randrange(4)):
            write(n)
            self.put(self.any_of(BREAKS), ",", self.any_of(BREAKS))
        if self.random.random() < 0.5 and self.text.rstrip().endswith(",") and brackets == "[]":
            self.text = self.text.rstrip().removesuffix(",")
        self.put(brackets[1])

    def end_of_line(self) -> str:
        return self.any_of(GAPS) + self.any_of(("", "# é = [", "#\\")) + self.any_of(("\n", "\n\n", "\n \n"))

    def any_of(self, texts: tuple[str, ...]) -> str:
        return self.random.choice(texts)

    def note(self, path: KeyPath) -> None:
        lines = self.text.split("\n")
        self.places.setdefault(path, Place(len(lines), len(lines[-1]) + 1))

    def put(self, *parts: str) -> None:
        self.text += "".join(parts).replace("\r\n", "\n")


def check_places(seed: int) -> None:
    writer = Writer(Random(seed))
    text = writer.document()
    data: Any = tomli.loads(text)
    assert find_places(text, writer.places) == writer.places
    for path, place in writer.places.items():
        value = data
        for part in path:
            value = value[part]
        if place.written:
            assert repr(tomli.loads(f"v = {place.written}")["v"]) == repr(value)


@given(st.integers(0, 2**64))
@settings(max_examples=100, deadline=None)
def test_what_was_written_somewhere_is_found_there(seed: int) -> None:
    check_places(seed)


@pytest.mark.verify
@given(st.integers(0, 2**64))
@settings(max_examples=3_000, deadline=None)
def test_what_was_written_somewhere_is_found_there_in_many_texts(seed: int) -> None:
    check_places(seed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('name = "a\\xe9"\nseed = -1', "2:1"),  # TOML 1.1
        ('name = "\\e"\nseed = -1', "2:1"),
        ('name = """\\\n  """\nseed = -1', "3:1"),
        ("world = {\n  size = [1, 1],\n}\nseed = -1", "4:1"),
    ],
)
def test_a_mistake_behind_an_unusual_text_is_told_in_its_place(text: str, expected: str) -> None:
    source = TomlSource("s.toml", text.encode())
    source.mistake(("seed",), "must not be")
    with pytest.raises(SceneError, match=f"^s.toml:{expected}: seed: must not be"):
        source.refuse_mistakes()
