"""Reads lesson files, and checks them completely, so that no mistake shows up only while a person does the lesson."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

from components.store.declare import integer, number
from components.store.fields import declared
from components.store.words import did_you_mean
from sandbox.condition import Condition
from sandbox.design.presets import QUANTITIES
from sandbox.edit.value_now import value_now
from sandbox.extras.lessons.checks import KINDS
from sandbox.extras.lessons.lesson import DEEDS, SECONDS, Challenge, Lesson, LessonStep
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.opening import load, scene_beside
from sandbox.record import measured
from sandbox.simulation import Simulation
from sandbox.toml.key_places import KeyPath
from sandbox.toml.paths import OwnPath
from sandbox.toml.schemas import Many, Name, Numbers, One, OneOf, Schema, Table, Text, refuse
from sandbox.toml.source import TomlSource, read_toml

T = TypeVar("T")
FORMAT = 1
TABS = "Everybody", "Selected", "Prefabs"  # of the inspector
WindowNames = Mapping[str, Collection[str]]
"""The names of the window's actions, panels, overlays and tools, by "action", "panel" ..."""


class _Keys:
    """The numbers of a lesson file."""

    format: int = integer(FORMAT, "", FORMAT, FORMAT, "of lesson files")
    seconds: float = number(5, "s", 0, 3600, "of the world, that must pass", above_low=True)
    one: float = number(0, "", -1e9, 1e9, "the score for one star")
    two: float = number(0, "", -1e9, 1e9, "for two stars")
    three: float = number(0, "", -1e9, 1e9, "for three stars")


K = declared(_Keys)


def read_lesson(path: Path | str, mods: LoadedMods, names: WindowNames) -> Lesson:
    """Read and check a lesson file, in a world of its scene.

    Raises:
        SceneError: with every mistake in the file, each with its place, or those of the scene.
    """
    source = read_toml(path)
    read = _schema(names).read(source, (), source.data)
    source.refuse_mistakes()
    scene = scene_beside(source, Path(path).parent, mods)
    with load(scene, mods=mods) as simulation:
        steps = [_step(source, at, table, simulation, names) for at, table in read["step"]]
        challenge = _challenge(source, read["challenge"], simulation) if "challenge" in read else None
    if not steps:
        source.mistake((), "must have a [[step]]")
    source.refuse_mistakes()
    return Lesson(Path(path), read["title"], read["description"].strip(), scene, tuple(steps), challenge)


def _schema(names: WindowNames) -> Table:
    """Return the schema of a lesson file."""
    checks: dict[str, Schema] = {
        kind: Name(kind, names[kind]) if kind in names else Text(told.about) for kind, told in KINDS.items()
    }
    step = Table(
        {
            "text": Text("what a person reads, in Markdown"),
            "point": Text("what a ring points at: an action, panel or tool, or a field"),
            "check": OneOf(checks | {"seconds": One(K["seconds"])}),
            "done": Text("what is said once it is done"),
        },
        required=("text",),
    )
    keys = {
        "format": One(K["format"]),
        "title": Text("what it is called"),
        "description": Text("what it is about"),
        "scene": OwnPath("the name of a scene, or its file"),
        "step": Many(step, "of steps"),
    }
    challenge = {
        "score": Text(f'what is counted: a measure, "{SECONDS}" or "{DEEDS}"'),
        "stars": Numbers(K["one"], K["two"], K["three"], help="the scores for one, two and three stars"),
        "ends": Text("when the score counts: seconds >= 60"),
        "lost": Many(Text("a condition"), "of conditions, each of which ends the attempt"),
        "may_place": Many(Text("a prefab"), "of the prefabs that may be placed"),
    }
    scored = {"challenge": Table(challenge, ("score", "stars", "ends"), "how the lesson is scored")}
    return Table(keys | scored, required=tuple(keys))


def _step(
    source: TomlSource, at: KeyPath, table: Mapping[str, Any], simulation: Simulation, names: WindowNames
) -> LessonStep:
    point, check = table.get("point", ""), None
    known = [*(name for found in names.values() for name in found), *TABS, *QUANTITIES]
    if point and point not in known:
        try:
            value_now(simulation.world, point)
        except ValueError as error:
            near = f"unknown{hint}" if (hint := did_you_mean(point, known)) and "." not in point else str(error)
            refuse(source, (*at, "point"), near)
    for kind, given in table.get("check", {}).items():
        try:
            check = KINDS[kind].read(kind, given, simulation)
        except ValueError as error:
            refuse(source, (*at, "check", kind), str(error))
    return LessonStep(table["text"], point, check, table.get("done", ""))


def _challenge(source: TomlSource, table: Mapping[str, Any], simulation: Simulation) -> Challenge | None:
    """Make a challenge, or note what is wrong in it."""

    def counted(name: str) -> str:
        if name not in (SECONDS, DEEDS):
            if near := did_you_mean(name, (SECONDS, DEEDS)):
                raise ValueError(f"there is no measure {name!r}{near}")
            measured(simulation, [name])
        return name

    def condition(text: str) -> Condition:
        read = Condition.read(text)
        counted(read.name)
        return read

    def prefab(name: str) -> str:
        if name not in (known := simulation.world.prefabs):
            raise ValueError(f"unknown prefab{did_you_mean(name, known)}")
        return name

    def checked(path: KeyPath, check: Callable[[str], T], text: str) -> T | None:
        try:
            return check(text)
        except ValueError as error:
            refuse(source, path, str(error))
            return None

    at, stars = ("challenge",), table["stars"]
    if stars != tuple(sorted({*stars})) and stars != tuple(sorted({*stars}, reverse=True)):
        refuse(source, (*at, "stars"), "must be three numbers that grow, or three that get smaller")
    score = checked((*at, "score"), counted, table["score"])
    ends = checked((*at, "ends"), condition, table["ends"])
    lost = [checked(path, condition, text) for path, text in table.get("lost", ())]
    may_place = [checked(path, prefab, text) for path, text in table.get("may_place", ())]
    if score is None or ends is None or None in lost or None in may_place:
        return None
    return Challenge(score, stars, ends, tuple(filter(None, lost)), tuple(filter(None, may_place)))
