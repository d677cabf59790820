"""Hostile or broken TOML is refused, quickly, with a place and a sentence."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.scenes.bundled import bundled_scenes
from sandbox.scenes.reader import scene_of
from sandbox.toml.key_places import TOKEN
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import HEADER, LARGEST_FILE, MOST_TOKENS, PART, TomlSource
from tests.mutants import SHARDS

TOO_MUCH = "more than 500,000 words, numbers and signs, the most that a file may have"


def refusal(raw: bytes) -> str:
    """The first line of the only mistake."""
    with pytest.raises(SceneError) as caught:
        TomlSource("s.toml", raw).refuse_mistakes()
    assert len(caught.value.mistakes) == 1
    return str(caught.value).splitlines()[0].removeprefix("s.toml:").strip()


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"a = 1\nb = = 2\n", "2:5: invalid value"),
        (b'a = "x', "1:7: unterminated string"),
        (b"a = 1\n  a = 2\n", "2:3: is given twice: give each key and table once"),
        (b"[t]\n[t]\n", "2:2: is given twice: give each key and table once"),
        (b"t = { a = 1, a = 2 }\n", "1:14: is given twice: give each key and table once"),
        (b'ok = 1\nb = "\xff"\n', "2:6: not UTF-8: must be a text file, saved as UTF-8"),
        (b"\x00", "1:1: invalid statement"),
        (b"a = [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", "1:21: nested deeper than 16"),
        (b"a = " + b"[" * 3000, "1:21: nested deeper than 16"),
        (b"a = " + b"{a=" * 3000, "1:53: nested deeper than 16"),
        (b"a" + b".a" * 1000 + b" = 1", "1:1: nested deeper than 16"),
        (b"a" + b".a" * 100_000 + b" = 1", "1:1: longer than 4,096 characters"),
        (b"a" + b" . 'a'" * 100_000 + b" = 1", "1:93: nested deeper than 16"),
        (b"[a.b.c.d.e.f.g.h]\na.b.c.d.e.f.g.h = {}\n", "2:15: a.b.c.d.e.f.g.h.a.b.c.d.e.f.g.h: nested deeper than 16"),
        (b"a = " + b"9" * 5000, "1:5: longer than 4,096 characters"),
        (b"a = " + b"9" * 4000, f"1:1: a = {'9' * 39}…: too large a number"),
        (b"a = 0x" + b"f" * 4000, f"1:1: a = 0x{'f' * 37}…: too large a number"),
        (b"a = '" + b"x" * 4097 + b"'", f"1:1: a = '{'x' * 38}…: must be at most 4,096 characters"),
        (b"'" + b"x" * 4097 + b"' = 1", f"1:1: {'x' * 79}…: a key must be at most 4,096 characters"),
        (b"a = [1, nan]", "1:9: a[1] = nan: must be a finite number"),
        (b"#" * (LARGEST_FILE + 1), "larger than 8 MB"),
        (b"a=1\n" * 2_000_000, TOO_MUCH),
        (b"a=[" + b"1," * 2_000_000 + b"]", TOO_MUCH),
        (b"[a]\n" * 60_000, TOO_MUCH),
        (b"[a.b.c.d.e.f]\n" * 20_000, TOO_MUCH),
        (b"".join(b"a%d.b.c.d.e.f = 1\n" % n for n in range(30_000)), TOO_MUCH),
        (b'a = "abc\\\nb = 1\n', "1:9: unescaped '\\' in a string"),
        (b'a = "\\q"', "1:6: unescaped '\\' in a string"),
    ],
)
def test_refused(raw: bytes, expected: str) -> None:
    assert refusal(raw) == expected


def test_long_things_in_comments_and_strings_are_not_mistaken_for_others() -> None:
    text = 'a = "' + "[" * 100 + '" # ' + "9" * 5000 + "\nb = '''\n" + "{" * 100 + '\'\'\'\'\' \nc = """\\""""\nd = 1'
    assert set(TomlSource("s.toml", text.encode()).data) == {"a", "b", "c", "d"}


def largest(line: bytes) -> bytes:
    """As many of these lines as a file may have."""
    parts = max(line.split(b"=")[0].count(b".") - 1, 0)
    tokens = sum(1 for _ in TOKEN.finditer(line.decode())) + PART * parts + HEADER * (line[:1] == b"[" != line[1:2])
    return b"".join(line.replace(b"N", b"%d" % n) for n in range(MOST_TOKENS // tokens - 2))


READ = """\
import resource, sys
from contextlib import suppress
from sandbox.scenes.reader import SceneError, scene_of
from sandbox.toml.key_places import TOKEN
from sandbox.toml.source import TomlSource
raw, before = sys.stdin.buffer.read(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with suppress(SceneError):
    scene_of(TomlSource("s.toml", raw))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
LINES = (b"aN = 1\n", b"aN={b={c={d={}}}}\n", b"[[spawn]]\nprefab='boid'\nat=[N,2.5]\nLook={size=2}\n")


@pytest.mark.skipif(sys.platform != "linux", reason="others count memory in another way")
@pytest.mark.parametrize("line", [b"[aN]\n", *(pytest.param(line, marks=pytest.mark.verify) for line in LINES)])
def test_the_largest_file_that_may_be_needs_little_memory(line: bytes) -> None:
    raw = b"format = 1\n" + largest(line)
    done = subprocess.run([sys.executable, "-c", READ], input=raw, capture_output=True, check=True)
    assert int(done.stdout) < 300_000  # kB


def test_no_more_than_200_mistakes_are_listed() -> None:
    with pytest.raises(SceneError) as caught:
        TomlSource("s.toml", b"a = [" + b"nan, " * 100_000 + b"]")
    assert len(caught.value.mistakes) == 201
    assert "there may be more" in caught.value.mistakes[-1].sentence


@pytest.mark.timeout(30)  # it takes well under a second, and hours where time grows with the square of the size
@pytest.mark.parametrize(
    "piece", [b'"', b"'", b"\\", b"[", b"{", b"=", b".", b"\n", b"#\n", b"[a]\n", b"[[a]]\n", b"a=1\n"]
)
def test_a_file_of_one_piece_over_and_over_is_read_or_refused_soon(piece: bytes) -> None:
    assert is_opened_or_refused(b"format = 1\n" + piece * (200_000 // len(piece)))


def is_opened_or_refused(raw: bytes) -> bool:
    """Whether it is a scene, or every mistake in it is told with its place; anything else that is raised fails."""
    try:
        scene_of(TomlSource("s.toml", raw))
    except SceneError as error:
        return all(re.match(r"s\.toml:(\d+:\d+:)? ", str(mistake)) for mistake in error.mistakes)
    return True


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=5000)
def test_any_bytes_are_opened_or_refused(raw: bytes) -> None:
    assert is_opened_or_refused(raw)


SCENES = [path.read_bytes() for path in bundled_scenes()]


@given(
    st.sampled_from(SCENES),
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(SHARDS) | st.binary(max_size=4)), max_size=5
    ),
)
@settings(max_examples=300, deadline=5000)
def test_any_mutated_scene_is_opened_or_refused(raw: bytes, edits: list[tuple[float, int, bytes]]) -> None:
    for where, removed, inserted in edits:
        at = int(where * len(raw))
        raw = raw[:at] + inserted + raw[at + removed :]
    assert is_opened_or_refused(raw)
