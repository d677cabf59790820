"""Schemas of the values in a file: a schema reads a value, notes mistakes, and describes itself as JSON Schema.

Schemas are composed from declared fields, so that nothing is declared twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from components.store.fields import Field, Kind
from components.store.words import nearest
from sandbox.toml.key_places import KeyPath
from sandbox.toml.source import LONGEST_TEXT, TomlSource

JsonSchema = dict[str, Any]
LONGEST_NAME = 64


class Wrong:
    """The result of reading a value in which a mistake was noted."""


WRONG: Final = Wrong()


class Schema(ABC):
    """What a value in a file may be.

    Attributes:
        was: the name of its key in earlier versions; empty if it was never renamed.
    """

    was = ""

    @abstractmethod
    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        """Return the value as the program stores it; if it is invalid, note a mistake and return WRONG."""

    @abstractmethod
    def json_schema(self) -> JsonSchema:
        """Return the JSON Schema of valid values."""


def refuse(source: TomlSource, path: KeyPath, sentence: str) -> Wrong:
    """Note a mistake as "key = value: sentence", and return WRONG."""
    source.mistake(path, sentence, shows_value=True)
    return WRONG


class One(Schema):
    """One value of a declared field; `prefabs`: those that a set of prefabs may name, in the scene's order."""

    def __init__(self, field: Field, prefabs: Iterable[str] = ()) -> None:
        self.field, self.prefabs = field, {name: index for index, name in enumerate(prefabs)}
        self.was = field.was

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        try:
            return self.field.parse(value, self.prefabs)
        except ValueError as error:
            return refuse(source, path, str(error))

    def json_schema(self) -> JsonSchema:
        field = self.field
        about = {"description": f"{field.help} ({field.unit})" if field.unit else field.help}
        default = {} if field.kind is Kind.PREFABS else {"default": field.show(field.default)}
        return {**_json_schema(field), **about, **default}


def _json_schema(field: Field) -> JsonSchema:
    match field.kind:
        case Kind.SWITCH:
            return {"type": "boolean"}
        case Kind.CHOICE:
            return {"enum": list(field.choices)}
        case Kind.COLOUR:
            return {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}
        case Kind.PREFABS:
            return {"type": "array", "items": {"type": "string"}}
        case Kind.TEXT:
            return {"type": "string", "maxLength": field.high}
        case Kind.LIST:
            assert field.each is not None
            few = {"not": {"minItems": 1, "maxItems": field.low - 1}} if field.low > 1 else {}
            return {"type": "array", "items": _json_schema(field.each), "maxItems": field.high, **few}
    number = "integer" if field.kind in (Kind.INTEGER, Kind.COUNT) else "number"
    least = "exclusiveMinimum" if field.above_low else "minimum"
    return {"type": number, least: field.low, "maximum": field.high}


@dataclass(frozen=True)
class Spread:
    """A value that differs between entities: normally distributed, clamped to the field's bounds."""

    mean: float
    sd: float


SPREADS = (Kind.NUMBER, Kind.INTEGER, Kind.AMOUNT)


class Varied(One):
    """One value of a field of a kind in SPREADS, or `{ mean, sd }` if entities differ."""

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if not isinstance(value, dict):
            return super().read(source, path, value)
        read = self._table().read(source, path, value)
        return read if read is WRONG else Spread(read["mean"], read["sd"])

    def json_schema(self) -> JsonSchema:
        return {"anyOf": [super().json_schema(), self._table().json_schema()]}

    def _table(self) -> Table:
        return Table({each.name: One(each) for each in spread_fields(self.field)}, required=("mean", "sd"))


def spread_fields(field: Field) -> tuple[Field, Field]:
    """Return fields for the mean and the standard deviation of a field's values."""
    middle, widest, unit = field.show(field.default), field.high - field.low, field.unit
    return (
        Field(Kind.NUMBER, middle, unit, field.low, field.high, "mean of the values", name="mean"),
        Field(Kind.NUMBER, 0.0, unit, 0, widest, "standard deviation: how much they differ", name="sd"),
    )


class Text(Schema):
    """A string."""

    def __init__(self, help: str) -> None:
        self.help = help

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        return value if isinstance(value, str) else refuse(source, path, "must be text in quotes")

    def json_schema(self) -> JsonSchema:
        return {"type": "string", "maxLength": LONGEST_TEXT, "description": self.help}


class Name(Text):
    """A string that must be one of the known names."""

    def __init__(self, what: str, known: Iterable[str]) -> None:
        super().__init__(f"the name of a {what}")
        self.what, self.known = what, tuple(known)

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if not isinstance(value, str):
            return super().read(source, path, value)
        if value in self.known:
            return value
        near = hint(value, self.known) or (f": there are {', '.join(self.known)}" if self.known else "")
        return refuse(source, path, f"unknown {self.what}{near}")


class Numbers(Schema):
    """A list with a number for each field, such as [x, y]; the last ones, if they are `deep`, may be missing."""

    def __init__(self, *fields: Field, help: str) -> None:
        self.items, self.help = [One(field) for field in fields], help
        self.was, self.fewest = fields[0].was, sum(not field.deep for field in fields)

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if not isinstance(value, list) or not self.fewest <= len(value) <= len(self.items):
            names = [item.field.name for item in self.items]
            ways = [f"{count}: [{', '.join(names[:count])}]" for count in range(self.fewest, len(names) + 1)]
            return refuse(source, path, f"must be {' or '.join(ways).replace(':', ' numbers:', 1)}")
        pairs = enumerate(zip(self.items, value, strict=False))
        read = [item.read(source, (*path, n), element) for n, (item, element) in pairs]
        return WRONG if any(item is WRONG for item in read) else tuple(read)

    def json_schema(self) -> JsonSchema:
        size = {"minItems": self.fewest, "maxItems": len(self.items), "description": self.help}
        return {"type": "array", "prefixItems": [item.json_schema() for item in self.items], **size}


class Table(Schema):
    """A table with these keys, of which some are required. Invalid values are left out of the result.

    Names that keys had in earlier versions are accepted, too.

    Attributes:
        spare: whether to ignore an unknown key that is not similar to a known one, because a mod may know it.
        elsewhere: what to write instead of keys that people may look for here, by these keys.
    """

    elsewhere: Mapping[str, str] = MappingProxyType({})

    def __init__(self, keys: Mapping[str, Schema], required: tuple[str, ...] = (), help: str = "") -> None:
        self.keys, self.required, self.help = keys, required, help
        self.spare: Callable[[str], bool] = lambda key: False

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if not isinstance(value, dict):
            return refuse(source, path, "must be a table")
        read: dict[str, Any] = {}
        renamed = {each.was: key for key, each in self.keys.items() if each.was}
        for written, child in value.items():
            key: Any = written if written in self.keys else renamed.get(written, written)
            if key not in self.keys:
                self._unknown(source, (*path, key))
            elif key != written and key in value:
                source.mistake((*path, written), f"is now called {key}, which is also given: leave one out")
            elif (known := self.keys[key].read(source, (*path, written), child)) is not WRONG:
                read[key] = known
        missing = [key for key in self.required if key not in value]
        if missing:
            source.mistake(path, f"must have {' and '.join(missing)}")
        return read if all(key in read for key in self.required) else WRONG

    def json_schema(self) -> JsonSchema:
        keys = {key: each.json_schema() for key, each in self.keys.items()}
        schema: JsonSchema = {"type": "object", "properties": keys, "additionalProperties": False}
        if self.required:
            schema["required"] = list(self.required)
        if self.help:
            schema["description"] = self.help
        return schema

    def _unknown(self, source: TomlSource, path: KeyPath) -> None:
        word = str(path[-1])
        sought = nearest(word, [*self.keys, *self.elsewhere]) or ""
        near = f"; {self.elsewhere[sought]}" if sought in self.elsewhere else hint(word, self.keys)
        if near or not self.spare(word):
            source.mistake(path, f"unknown key{near}")


class OneOf(Table):
    """A table with exactly one of these keys."""

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if isinstance(value, dict) and len(value.keys() & self.keys.keys()) != 1:
            return refuse(source, path, f"must have {' or '.join(self.keys)}")
        read = super().read(source, path, value)
        return read or WRONG

    def json_schema(self) -> JsonSchema:
        return {**super().json_schema(), "minProperties": 1, "maxProperties": 1}


class Named(Schema):
    """A table of values of one schema under names that the file chooses."""

    def __init__(self, each: Table, help: str) -> None:
        self.each, self.help = each, help

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if not isinstance(value, dict):
            return refuse(source, path, "must be a table")
        read = {}
        for key, child in value.items():
            if not (key and key.isprintable() and len(key) <= LONGEST_NAME):
                source.mistake((*path, key), f"a name must be 1 to {LONGEST_NAME} printable characters")
            elif (known := self.each.read(source, (*path, key), child)) is not WRONG:
                read[key] = known
        return read

    def json_schema(self) -> JsonSchema:
        names = {"minLength": 1, "maxLength": LONGEST_NAME}
        schema = {"type": "object", "propertyNames": names, "additionalProperties": self.each.json_schema()}
        return {**schema, "description": self.help}


class Many(Schema):
    """A list of values of one schema; the result has (path, value) of the valid ones."""

    def __init__(self, each: Schema, help: str) -> None:
        self.each, self.help = each, help

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if not isinstance(value, list):
            return refuse(source, path, f"must be a list: {self.help}")
        read = [((*path, n), self.each.read(source, (*path, n), child)) for n, child in enumerate(value)]
        return [(at, thing) for at, thing in read if thing is not WRONG]

    def json_schema(self) -> JsonSchema:
        return {"type": "array", "items": self.each.json_schema(), "description": self.help}


class Anything(Schema):
    """Any value: it is not checked, because another program may understand it."""

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        return value

    def json_schema(self) -> JsonSchema:
        return {}


def hint(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean "..."?` if a known name is similar, else an empty string."""
    close = nearest(word, list(known))
    return f'; did you mean "{close}"?' if close else ""
