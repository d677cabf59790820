"""A choice to which mods add words: each is stored as a number that does not depend on what else is installed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

ROOM = 256  # numbers


class OpenChoice:
    """The words of a choice by number, first the built-in ones; `in`, iteration and `index` are those of a tuple.

    The number of a word that a mod brings follows from the word alone, unless two of them clash: then the later one
    gets the next number that is free. A word stays known until the program ends.

    Attributes:
        built_in: the number of built-in words.
    """

    def __init__(self, *words: str) -> None:
        self.built_in, self._words = len(words), dict(enumerate(words))

    def add(self, word: str) -> None:
        """Add a word, if it is new.

        Raises:
            ValueError: there is no room left.
        """
        if word in self:
            return
        own = ROOM - self.built_in
        numbers = (self.built_in + (zlib.crc32(word.encode()) + n) % own for n in range(own))
        free = next((number for number in numbers if number not in self._words), None)
        if free is None:
            raise ValueError(f"there are {ROOM} words to choose from already, and no room for {word!r}")
        self._words[free] = word

    def index(self, word: str) -> int:
        """Return the number of a word.

        Raises:
            ValueError: there is no such word.
        """
        for number, known in self._words.items():
            if known == word:
                return number
        raise ValueError(f"there is no {word!r}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the words, in the order of iteration."""
        return tuple(self._words)

    def __getitem__(self, number: int) -> str:
        return self._words[number]

    def __contains__(self, word: object) -> bool:
        return word in self._words.values()

    def __iter__(self) -> Iterator[str]:
        return iter(self._words.values())

    def __len__(self) -> int:
        return len(self._words)


Choices = tuple[str, ...] | OpenChoice


def numbers_of(choices: Choices) -> tuple[int, ...] | range:
    """Return the stored numbers of the words of a choice."""
    return choices.numbers if isinstance(choices, OpenChoice) else range(len(choices))
