"""Files of a stranger: good ones in which pieces were replaced, removed and added by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from sandbox.mods.find.manifest import ModError
from sandbox.toml.mistakes import SceneError

SHARDS = (
    *(b"nan", b"inf", b"-1", b"0", b"1e999", b"1e308", b"9" * 30, b"0x7fffffffffffffffffff", b"1_0", b"true"),
    *(b"[", b"]", b"{", b"}", b"=", b".", b'"', b"'''", b"\n", b"#", b"\\", b"[[[[", b"{a={a={", b'"x"', b"[]", b"{}"),
    *(b"[1, 2]", b"[[1, 2], [3, 4]]", b"2020-01-01", b"1979-05-27T07:32:00Z", b'""', b'"' + b"y" * 3000 + b'"'),
    *(b"\xff", b"\\u0000", b"\xc2\x85", b"\xe2\x80\xae", b"\x1b[31m", b"{count!r}", b"{x:>99999999999}", b"../"),
    *(b"[[spawn]]\n", b"[prefabs.boid]\n", b'extends = "boid"\n', b'Perception.reach = "everyone"\n', b"[vary]\n"),
)
MANY = pytest.param(5_000, marks=pytest.mark.verify)
few_or_many = pytest.mark.parametrize("count", [30, MANY])
some_or_many = pytest.mark.parametrize("count", [100, MANY])


def mutants(texts: Sequence[bytes], count: int) -> Iterator[bytes]:
    chance = Random(count)
    known = [line for text in texts for line in text.splitlines()]
    for _ in range(count):
        lines = chance.choice(texts).splitlines()
        for _ in range(chance.choice((1, 1, 2, 4))):
            place = chance.randrange(len(lines))
            line, shard, how = lines[place], chance.choice(SHARDS), chance.random()
            if how < 0.2:
                lines[place] = chance.choice(known)
            elif how < 0.6:
                lines[place] = b"=".join([line.partition(b"=")[0], shard])
            else:
                at = chance.randint(0, len(line))
                lines[place] = line[:at] + shard + line[at + chance.randint(0, 12) :]
        yield b"\n".join(lines)


def byte_mutants(content: bytes, count: int) -> Iterator[bytes]:
    """A few bytes of each are others, or it is cut."""
    chance = Random(count)
    for _ in range(count):
        mutant = bytearray(content)
        for _ in range(chance.choice((1, 1, 2, 8))):
            mutant[chance.randrange(len(mutant))] ^= chance.randrange(1, 256)
        yield bytes(mutant[: chance.randrange(len(mutant))] if chance.random() < 0.2 else mutant)


def refuse_all_but_mistakes(read: Callable[[Path], object], texts: Sequence[bytes], count: int, path: Path) -> None:
    """Fail if reading one of these mutants at a path raises anything but the error of mistakes in a file."""
    for text in texts:
        path.write_bytes(text)
        read(path)
    for mutant in mutants(texts, count):
        path.write_bytes(mutant)
        with suppress(SceneError, ModError):
            read(path)
