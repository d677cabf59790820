"""Every test starts and ends without worlds of others, for esper's state belongs to the whole process; and with empty
folders for what a person keeps (settings, autosaves, mods): those of the person who tests are nobody's business.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic

from platformdirs import user_cache_path

# Ctrl+C means what it does in a terminal: a shell that starts the tests in the background has it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Two threads share the work of each small world, often on one core: one that waited awake would keep the other from it.
os.environ["GOMP_SPINCOUNT"] = "0"

# Collecting tests makes millions of syntax trees and no garbage: Python's collector begins with the first test.
gc.disable()

# Windows speak the language of the system, and tests look for English words.
os.environ["LC_ALL"] = "C.UTF-8"

# Compiled kernels stay where they are, also on Windows, where their folder lies among those that are replaced here.
os.environ.setdefault("BOIDS_CACHE_DIR", str(user_cache_path("boids-sandbox", appauthor=False)))

_XDG = ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "DOCUMENTS_DIR", "PICTURES_DIR")
_WINDOWS = ("LOCAL_APPDATA", "PERSONAL", "MYPICTURES")
_KEPT = (*(f"XDG_{name}" for name in _XDG), *(f"WIN_PD_OVERRIDE_{name}" for name in _WINDOWS))  # for platformdirs
_folder = Path(tempfile.mkdtemp(prefix="boids-tests-"))
_numbers = count()
_began = monotonic()


def _keep_in(folder: Path) -> None:
    """What is kept is kept there from now on, here and in every program begun from here."""
    os.environ |= dict.fromkeys(_KEPT, str(folder))


_keep_in(_folder)

import esper  # noqa: E402
import pytest  # noqa: E402

from components.store.handles import tables  # noqa: E402
from systems.engine import threads  # noqa: E402


@pytest.fixture(autouse=True, scope="module")
def _what_was_imported_is_not_looked_through() -> None:
    """By Python's collector, again and again: it stays."""
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _nothing_kept_is_there() -> Iterator[None]:
    folder = _folder / str(next(_numbers))
    _keep_in(folder)
    yield
    _keep_in(_folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def _small_worlds_run_on_all_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As large ones do: what several threads do wrong must show in a test's world too."""
    if request.node.get_closest_marker("usual_threads") is None:
        monkeypatch.setattr(threads, "entities_per_thread", 1)


@pytest.fixture(autouse=True)
def _no_worlds_are_left() -> Iterator[None]:
    before = set(tables)
    yield
    esper.switch_world("default")
    for name in set(tables) - before:
        tables.pop(name)
        if name in esper.list_worlds():
            esper.delete_world(name)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--minutes", type=float, metavar="M", help="begin no test later, nor any that may take long")
    parser.addoption("--shuffled-by", metavar="WORD", help="an order by chance, the same for the same word")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files with a test that may take long come first: at the end one worker would be left with them."""
    if word := config.getoption("--shuffled-by"):
        Random(word).shuffle(items)
        return
    long = {item.path for item in items if item.get_closest_marker("timeout")}
    items.sort(key=lambda item: item.path not in long)


def pytest_runtest_setup(item: pytest.Item) -> None:
    minutes = item.config.getoption("--minutes")
    if minutes is None:
        return
    if item.get_closest_marker("timeout"):
        pytest.skip("takes long: make verify runs it")
    if monotonic() - _began > 60 * minutes:
        pytest.skip("no time is left for it: another commit begins with others")


def pytest_sessionfinish() -> None:
    shutil.rmtree(_folder, ignore_errors=True)
