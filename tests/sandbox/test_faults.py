"""What went wrong in a mod, told with the line of its own files that led there, in one line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import esper
import numpy as np
import pytest

import sandbox
from components.store.records import form_of
from sandbox.api import Motion, Phase, Position, Settings
from sandbox.mods.find.fault import Fault, fault_of

KERNELS = """\
import numpy as np
from systems.engine.kernel import inlined, kernel
from systems.exact.vector import accelerate, read, scaled


@inlined
def halve(values, row):
    values[row] /= 2


@kernel
def halves(values):
    for row in range(len(values)):
        halve(values, row)


@kernel
def misspelt(values):
    return values.lenght


@kernel
def undefined(values):
    return nothing(values)


@kernel
def calls_undefined(values):
    return undefined(values)


@kernel
def mixed(values):
    if len(values) > 3:
        total = values
    else:
        total = 0
    return total


@kernel
def indexed(values):
    return values["first"]


@kernel
def untyped(values):
    values[0] = np


@kernel
def imports(values):
    import os


@kernel
def summed(values):
    values[0] += "a"


@kernel
def scaled_text(values):
    scaled("abc", values[0])


@kernel
def too_few(values):
    accelerate(values)


@kernel
def record_of_an_array(values):
    read(values)


@kernel
def name_in_a_lambda(values):
    change = lambda value: value + not_here
    return change(values[0])


@kernel
def name_in_an_inner_function(values):
    def change(value):
        return value * not_there
    return change(values[0])


@kernel
def name_in_a_comprehension(values):
    return [value + not_anywhere for value in values]


@kernel
def shape_of_text(values):
    return np.zeros("x")


@kernel  # a file
def opens(values):
    with open("x") as file:
        return len(values)


def deep(values):
    return np.stack([values, values[:1]])
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "with space" / "mine"
    made.mkdir(parents=True)
    return made


def module(folder: Path, text: str) -> ModuleType:
    path = folder / "kernels.py"
    path.write_text(text, encoding="utf-8")
    spec = spec_from_file_location("kernels_of_mine", path)
    found = module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(found)  # type: ignore[union-attr]
    return found


def fault(folder: Path, do: Callable[[], Any]) -> Fault:
    try:
        do()
    except BaseException as error:
        return fault_of(error, "mine", folder, "install")
    raise AssertionError("nothing went wrong")


def read_only() -> np.ndarray[Any, Any]:
    values = np.ones(5, np.float32)
    values.flags.writeable = False
    return values


@pytest.mark.parametrize(
    ("function", "line", "message"),
    [
        ("halves", "    values[row] /= 2", "TypingError: Cannot modify readonly array"),
        ("misspelt", "    return values.lenght", "TypingError: there is no 'lenght'"),
        ("mixed", "    return total", "TypingError: Cannot unify"),
        ("indexed", '    return values["first"]', "TypingError: Unsupported array index type"),
        ("untyped", "    values[0] = np", "TypingError: "),
        ("imports", "    import os", "UnsupportedBytecodeError: Use of unsupported opcode (IMPORT_NAME) found."),
        ("summed", '    values[0] += "a"', "TypingError: a kernel can't do iadd("),
        ("scaled_text", '    scaled("abc", values[0])', "TypingError: scaled(unicode_type): must be a vector"),
        ("too_few", "    accelerate(values)", "TypingError: missing a required argument: 'a'"),
        ("record_of_an_array", "    read(values)", "TypingError: must be a record of a component"),
        ("name_in_a_lambda", "    change = lambda value: value + not_here", "TypingError: NameError: name 'not_here'"),
        ("name_in_an_inner_function", "        return value * not_there", "TypingError: NameError: name 'not_there'"),
        (
            "name_in_a_comprehension",
            "    return [value + not_anywhere for value in values]",
            "TypingError: NameError: name 'not_anywhere'",
        ),
        ("shape_of_text", '    return np.zeros("x")', "TypingError: Cannot parse input types"),
        (
            "opens",
            "@kernel  # a file",
            "UnsupportedBytecodeError: The 'with (context manager) as (variable):' construct",
        ),
        ("deep", "    return np.stack([values, values[:1]])", "ValueError: all input arrays must have the same shape"),
    ],
)
def test_what_a_kernel_does_wrong_is_told_with_its_own_line(
    folder: Path, function: str, line: str, message: str
) -> None:
    kernels = module(folder, KERNELS)
    told = fault(folder, lambda: getattr(kernels, function)(read_only()))
    assert told.place == f"kernels.py:{KERNELS.splitlines().index(line) + 1}"
    assert told.message.startswith(message)
    assert "\n" not in told.message
    assert folder.name not in told.message


def test_of_a_mods_own_objects_nothing_is_asked(folder: Path) -> None:
    """They may answer with any error."""
    text = """\
class Stubborn:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def fail(self):
        raise KeyError("lost")
"""
    stubborn = module(folder, text).Stubborn()
    told = fault(folder, stubborn.fail)
    assert (told.place, told.message) == ("kernels.py:6", "KeyError: lost")


def test_an_error_that_was_never_raised_is_told(folder: Path) -> None:
    assert fault_of(KeyError("lost"), "mine", folder, "install").message == "KeyError: lost"


def test_a_misspelt_field_of_a_record_in_a_kernel_is_told_with_the_nearest(folder: Path) -> None:
    text = KERNELS + "\n\n@kernel\ndef item(records):\n    return records[0].previus_x\n"
    kernels = module(folder, text)
    told = fault(folder, lambda: kernels.item(np.zeros(1, form_of(Position).record)))
    assert (told.place, told.message) == (
        f"kernels.py:{len(text.splitlines())}",
        "KeyError: there is no 'previus_x'; did you mean 'previous_x'?",
    )


@pytest.mark.parametrize("function", ["undefined", "calls_undefined"])
def test_an_unknown_name_in_a_kernel_is_told_with_its_line(folder: Path, function: str) -> None:
    kernels = module(folder, KERNELS)
    told = fault(folder, lambda: getattr(kernels, function)(read_only()))
    assert told.place == f"kernels.py:{KERNELS.splitlines().index('    return nothing(values)') + 1}"
    assert told.message == "TypingError: NameError: name 'nothing' is not defined"


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        (lambda _: Phase.SENS, "SENSE"),
        (lambda world: esper.get_component(Motion)[0][1].accel, "acceleration"),
        (lambda world: setattr(esper.get_component(Motion)[0][1], "max_sped", 9), "max_speed"),
        (lambda world: setattr(world.resource(Settings), "widht", 9), "width"),
        (lambda world: world.table.seral, "serial"),
    ],
)
def test_a_misspelt_name_is_told_with_the_nearest(folder: Path, misspelt: Callable[[Any], Any], meant: str) -> None:
    with sandbox.new() as sim:
        sim.spawn("boid")
        sim.world.enter()
        told = fault(folder, lambda: misspelt(sim.world))
    assert told.message.startswith("AttributeError: ")
    assert told.message.endswith(f"; did you mean {meant!r}?")


def test_a_prefab_that_is_not_there_is_told_with_those_that_are(folder: Path) -> None:
    with sandbox.new() as sim:
        assert fault(folder, lambda: sim.world.spawn("boidd")).message.endswith("'boidd'; did you mean 'boid'?")
        assert "'birb': there are boid, " in fault(folder, lambda: sim.world.spawn("birb")).message


def test_a_syntax_error_is_told_with_its_own_line(folder: Path) -> None:
    told = fault(folder, lambda: module(folder, "x = 1\nif x\n    pass\n"))
    assert told.sentence == "mine: kernels.py:2: SyntaxError: expected ':' (kernels.py, line 2) (install)"


def test_where_no_line_of_the_mod_is_to_blame_none_is_named(folder: Path) -> None:
    told = fault(folder, lambda: int("x"))
    assert told.place == ""
    assert told.sentence == "mine: ValueError: invalid literal for int() with base 10: 'x' (install)"


def test_an_error_without_words_is_its_name(folder: Path) -> None:
    assert fault(folder, lambda: sys.exit()).message == "SystemExit"


def test_a_long_message_is_cut(folder: Path) -> None:
    def fail() -> None:
        raise ValueError("very " * 1000 + "\nlong")

    assert len(fault(folder, fail).message) < 600


def test_a_folder_of_the_same_beginning_is_another(folder: Path) -> None:
    other = folder.parent / "mine too"
    other.mkdir()
    made = module(other, "def fail():\n    raise ValueError('no')\n")
    assert fault(folder, made.fail).place == ""
