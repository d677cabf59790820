"""Words: those of choices, to which mods may add some, and those of messages, with suggestions for misspelt names."""

from __future__ import annotations

import difflib
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

MOST_WRITTEN_OUT = 1e21
ROOM = 256  # numbers of the words of an `OpenChoice`


def plain(number: float) -> str:
    """Format a number for people: "1,000,000"."""
    whole = abs(number) < MOST_WRITTEN_OUT and number == int(number)
    return f"{int(number):,}" if whole else f"{number:,.10g}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'boid'?", or "" if no known name is similar."""
    close = nearest(word, list(known))
    return f"; did you mean {close!r}?" if close else ""


def must_be_one_of(choices: Iterable[str], word: str = "") -> str:
    """Return "must be one of a, b", with the nearest to a misspelt `word`."""
    return f"must be one of {', '.join(choices)}{did_you_mean(word, choices) if word else ''}"


def nearest(word: str, known: tuple[str, ...] | list[str]) -> str | None:
    """Return the known name that is most similar to `word` or begins with it, or None if none does."""
    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), list(lowered), n=1, cutoff=0.6)
    close = close or [name for name in lowered if len(word) > 2 and name.startswith(word.lower())]
    return lowered[close[0]] if close else None


class Word(str):
    """The chosen word of a choice, as handles and resources return it.

    To compare it with a word that can't be chosen, or with its stored number, is a mistake: it would never be equal.
    """

    __slots__ = ("_choices", "_key")
    _choices: Any
    _key: str

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            if other.__class__ is not Word and str(other) not in self._choices:
                raise ValueError(f"{self._key} == {other!r}: {must_be_one_of(self._choices, other)}")
        elif isinstance(other, int | float):
            raise ValueError(f"{self._key} == {other!r}: {must_be_one_of(self._choices)}")
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __reduce__(self) -> Any:
        return str, (str(self),)


class Words(dict[int, Word]):
    """The words of a field that is a choice, by stored number; each is made when it is first read."""

    def __init__(self, field: Any) -> None:
        super().__init__()
        self._choices, self._key = field.choices, field.key

    @classmethod
    def of(cls, field: Any) -> Words | None:
        """Return the words of a field, or None if it is no choice."""
        return cls(field) if field.choices else None

    def __missing__(self, number: int) -> Word:
        word = self[number] = Word(self._choices[number])
        word._choices, word._key = self._choices, self._key
        return word


class OpenChoice:
    """The words of a choice to which mods add, by number, first the built-in ones; it is used like a tuple.

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
