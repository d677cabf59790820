"""A compiled kernel is taken from the cache while all that it is made of is the same, and compiled anew when not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import FunctionType, ModuleType

import pytest

import sandbox.render
import systems
from systems.engine import kernel_cache
from systems.engine.file_lock import HeldError, take
from systems.engine.kernel_cache import named_tuples, stamp_of

HELPER = """
import numpy as np
from systems.engine.kernel import inlined, subroutine
from systems.engine import kernel

FACTOR = 3
ROW = (1.0, np.float32(2))


@subroutine
def deeper(x):
    return x + 1


@inlined
def helper(x):
    return deeper(x) * FACTOR
"""
KERNEL = '''
import numpy as np
from systems.engine.kernel import kernel, prange


@kernel
def double(x, y=2):
    """What it does."""
    total = 0
    for k in prange(3):
        total += k
    return helper(x) * y + other.ROW[0] + total
'''


def stamp(helper: str = HELPER, text: str = KERNEL, options: str = "") -> str:
    """The stamp of a kernel in one file that calls an inlined function of another."""
    other, here = ModuleType("systems.made_up"), ModuleType("here")
    exec(helper, vars(other))
    vars(here).update(helper=vars(other)["helper"], other=other)
    exec(text, vars(here))
    function = vars(here)["double"].py_func
    assert isinstance(function, FunctionType)
    return stamp_of(function, options)


@pytest.mark.parametrize(
    ("where", "before", "after"),
    [
        ("helper", "FACTOR = 3", "FACTOR = 4"),
        ("helper", "FACTOR = 3", "FACTOR = 3.0"),
        ("helper", "x + 1", "x + 2"),
        ("helper", "x + 1", "x - 1"),
        ("helper", "(1.0, np.float32(2))", "(1.0, np.float64(2))"),
        ("helper", "@subroutine", "@inlined"),
        ("text", "range(3)", "range(4)"),
        ("text", "y=2", "y=3"),
        ("text", "helper(x) * y", "y * helper(x)"),
        ("text", "prange(3)", "range(3)"),
    ],
)
def test_what_it_is_made_of_makes_another_stamp(where: str, before: str, after: str) -> None:
    texts = {"helper": HELPER, "text": KERNEL}
    assert before in texts[where]
    assert stamp(**{**texts, where: texts[where].replace(before, after)}) != stamp()


@pytest.mark.parametrize(
    ("where", "before", "after"),
    [
        ("text", "What it does", "What it is for"),
        ("text", "\n@kernel", "\n# A comment\n\n\n@kernel"),
        ("helper", "FACTOR = 3", "UNUSED = 1\nFACTOR = 3"),
        ("helper", "@inlined", "@subroutine\ndef unused(x):\n    return x\n\n\n@inlined"),
    ],
)
def test_what_it_is_not_made_of_makes_none(where: str, before: str, after: str) -> None:
    texts = {"helper": HELPER, "text": KERNEL}
    assert stamp(**{**texts, where: texts[where].replace(before, after)}) == stamp()


def test_options_make_another_stamp() -> None:
    assert stamp(options="[('parallel', True)]") != stamp()


def test_a_stamp_is_the_same_in_every_process() -> None:
    program = "from tests.systems.test_kernel_cache import stamp; print(stamp())"
    made = set()
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        assert ran.returncode == 0, ran.stderr
        made.add(ran.stdout.strip())
    assert made == {stamp()}


RUN = """
import json, numpy as np
from one import double
from systems.engine.kernel import kernel
print(json.dumps([double(5), sum(double.made.stats.cache_hits.values()), sum(double.made.stats.cache_misses.values())]))
"""
ONE = """
from systems.engine.kernel import kernel
from two import helper

@kernel
def double(x):
    return 2 * helper(x)
"""
TWO = """
from systems.engine.kernel import inlined

@inlined
def helper(x):
    return x + 1
"""


def test_a_kernel_is_compiled_anew_when_a_function_of_another_file_changes_and_not_when_files_are_copied(
    tmp_path: Path,
) -> None:
    def run(folder: str, two: str) -> str:
        place = tmp_path / folder
        place.mkdir()
        (place / "one.py").write_text(ONE)
        (place / "two.py").write_text(two)
        env = {
            **os.environ,
            "BOIDS_CACHE_DIR": str(tmp_path / "cache"),
            "PYTHONPATH": f"{place}{os.pathsep}{os.getcwd()}",
        }
        ran = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, env=env)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.strip()

    assert run("first", TWO) == "[12, 0, 1]"
    assert run("copy", TWO) == "[12, 1, 0]"
    assert run("changed", TWO.replace("x + 1", "x + 2")) == "[14, 0, 1]"
    assert run("back", TWO) == "[12, 1, 0]"


NESTED = """
from systems.engine.kernel import kernel

@kernel
def inner(x):
    return x + 1

@kernel
def outer(x):
    return 2 * inner(x)
"""


def test_a_kernel_can_be_compiled_that_calls_one_from_the_cache(tmp_path: Path) -> None:
    (tmp_path / "nested.py").write_text(NESTED)
    env = {**os.environ, "BOIDS_CACHE_DIR": str(tmp_path), "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.getcwd()}"}
    for call, result in (("inner(5)", "6"), ("outer(5)", "12")):
        program = f"import nested; print(nested.{call})"
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env)
        assert (ran.returncode, ran.stdout.strip()) == (0, result), ran.stderr


WRAPPED = b"""
Short = namedtuple("Short", "x y")
Long = namedtuple(
    "Long", "first second third",
)
Listed = namedtuple("Listed", ("a", "b"))

class Stated(NamedTuple):  # stated
    '''What it is.'''

    near: int
    far: float
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"x y", b"y x"),
        (b"second third", b"third second"),
        (b'"a", "b"', b'"b", "a"'),
        (b"near: int\n    far: float", b"far: float\n    near: int"),
    ],
)
def test_the_fields_of_a_named_tuple_count_in_their_order_however_it_is_written(before: bytes, after: bytes) -> None:
    assert named_tuples(WRAPPED.replace(before, after)) != named_tuples(WRAPPED)


def test_what_is_said_about_a_named_tuple_does_not_count() -> None:
    assert named_tuples(WRAPPED.replace(b"What it is", b"What it is for")) == named_tuples(WRAPPED)


def test_all_named_tuples_given_to_kernels_count() -> None:
    packages = (systems, sandbox.render)
    names = [info.name for package in packages for info in walk_packages(package.__path__, f"{package.__name__}.")]
    modules = [import_module(name) for name in names]
    classes = [
        one for module in modules for one in vars(module).values() if isinstance(one, type) and hasattr(one, "_fields")
    ]
    classes = [one for one in classes if one.__module__ in names]
    assert len(classes) > 20
    for one in classes:
        in_file = b"\n".join(named_tuples(Path(str(sys.modules[one.__module__].__file__)).read_bytes())).decode()
        in_order = r"\b.*?\b".join([one.__name__, *one._fields])
        assert re.search(rf"\b{in_order}\b", in_file, re.DOTALL), one


AT_ONCE = """
import numpy as np
from numba.core import event
from systems.exact.random import random_numbers

with event.install_recorder("numba:compile") as compiled:
    input()
    random_numbers(1, 2, np.arange(3), 4)
print(sum("random_numbers" in str(happened.data["dispatcher"]) for _, happened in compiled.buffer) // 2)
"""


def test_of_several_processes_one_compiles_a_kernel_and_the_others_load_it(tmp_path: Path) -> None:
    environment = {**os.environ, "BOIDS_CACHE_DIR": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen([sys.executable, "-c", AT_ONCE], env=environment, **pipes) for _ in range(3)]
    for process in processes:
        print(file=process.stdin, flush=True)
    assert sorted(process.communicate()[0] for process in processes) == ["0\n", "0\n", "1\n"]
    assert list(tmp_path.rglob("*.lock")) == []


FAILS = """
from one import double

for wrong in (None, "text"):
    try:
        double(wrong)
    except Exception as error:
        print(type(error).__name__)
"""


def test_a_kernel_that_can_not_be_compiled_keeps_nobody_waiting(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(ONE)
    (tmp_path / "two.py").write_text(TWO)
    env = {**os.environ, "BOIDS_CACHE_DIR": str(tmp_path), "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.getcwd()}"}
    ran = subprocess.run(
        [sys.executable, "-c", FAILS], capture_output=True, text=True, env=env, timeout=kernel_cache.PATIENCE
    )
    assert ran.stdout == "TypingError\n" * 2
    assert list(tmp_path.rglob("*.lock")) == []


def test_locks_of_processes_that_were_ended_are_removed_and_those_that_are_held_stay(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir()
    monkeypatch.setattr(kernel_cache, "cache_folder", lambda: folder)
    (folder / "left.lock").touch()
    lock = take(folder / "held.lock")
    kernel_cache.mark_warm()
    assert [path.name for path in folder.glob("*.lock")] == ["held.lock"]
    lock.remove()


def test_a_lock_that_is_held_is_told_from_one_that_can_not_be_made(tmp_path: Path) -> None:
    lock = take(tmp_path / "one.lock")
    with pytest.raises(HeldError):
        take(tmp_path / "one.lock")
    lock.let_go()
    take(tmp_path / "one.lock").remove()
    with pytest.raises(FileNotFoundError):
        take(tmp_path / "nowhere" / "one.lock")
