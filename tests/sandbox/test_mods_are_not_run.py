"""Opening a scene or snapshot, whatever it says, runs no code of a mod that is not enabled: seen by an audit hook."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sandbox
import sandbox.opening
from sandbox.mods.find.content import read_content
from sandbox.mods.find.finding import bundled_mods_folder
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.scenes.bundled import bundled_scenes
from tests.bundled import LARGE
from tests.mods import write_mod

WATCH = """
import os, sys
from pathlib import Path
import sandbox.opening, sandbox.scenes.reader, sandbox.simulation, sandbox.mods.load.library, sandbox.mods.run.upgrade
from sandbox.mods.load.library import own_library
from sandbox.warm_up import warm_up

warm_up()  # kernels that are compiled later are kept in files
seen, watching = [], False
OUTSIDE = "subprocess", "socket", "os.system", "os.exec", "os.spawn", "os.posix_spawn", "ctypes.dlopen"


def watch(event, args):
    if not watching:
        return
    if event == "open":
        path, mode, flags = args
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        if writes or (isinstance(path, str) and "evil" in path and path.endswith((".py", ".pyc", ".so"))):
            seen.append((event, str(path), mode))
    elif event == "import":
        if "evil" in args[0] or args[0].startswith("boids_mods"):
            seen.append((event, args[0]))
    elif event in ("compile", "exec"):
        file = args[1] if event == "compile" else getattr(args[0], "co_filename", "")
        if "evil" in str(file):
            seen.append((event, str(file)))
    elif event.startswith(OUTSIDE):
        seen.append((event, str(args)))


sys.addaudithook(watch)
opened = refused = 0
for scene in sys.argv[1:]:
    watching = True
    try:
        sandbox.load(scene).close()
        opened += 1
    except ValueError as error:
        refused += 1
        assert "evil" in str(error) or "couzin" in str(error) or "not enabled" in str(error), error
    watching = False
library = own_library()
watching = True
library.look(Path(sys.argv[-1]))
listed = library.listed()
watching = False
assert "evil" in [one.id for one in listed]
assert not seen, seen
print(opened, refused)
"""

EVIL = "import pathlib\npathlib.Path('ran').write_text('ran')\ndef install(app): pass\n"
NEEDS = """format = 1
[[spawn]]
prefab = "boid"
[mods]
required = ["evil"]
"""
WOULD_LIKE = NEEDS.replace("required", "optional") + "[evil]\ncode = 'import os'\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A person's folders, each with a mod `evil` in it."""
    for place in ("here/mods", "scenes/mods", "data/boids-sandbox/mods"):
        write_mod(tmp_path / place / "evil", EVIL)
        (tmp_path / place / "evil" / "__init__.py").write_text(EVIL)
    (tmp_path / "scenes" / "needs.toml").write_text(NEEDS)
    (tmp_path / "scenes" / "likes.toml").write_text(WOULD_LIKE)
    return tmp_path


def opened_all(home: Path, scenes: list[Path]) -> subprocess.CompletedProcess[str]:
    folders = {"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state"}
    environment = {**os.environ, **{key: str(home / name) for key, name in folders.items()}}
    environment["PYTHONPATH"] = str(Path(sandbox.__file__).parent.parent)
    command = [sys.executable, "-c", WATCH, *map(str, scenes)]
    return subprocess.run(command, cwd=home / "here", env=environment, capture_output=True, text=True)


def test_no_code_of_it_runs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evil, ran = home / "scenes" / "mods" / "evil", home / "here" / "ran"
    monkeypatch.chdir(home / "here")
    library = Library(Trust(home / "other.toml"), [evil])
    with sandbox.opening.load(home / "scenes" / "needs.toml", mods=library) as simulation:
        simulation.save(home / "scenes" / "state.boids")
    ran.unlink()  # that it runs when a person says so is seen
    bundled = [path for path in bundled_scenes() if path.stem not in LARGE]
    scenes = [*bundled, *sorted(bundled_mods_folder().glob("*/scenes/*.toml"))]
    scenes += [home / "scenes" / name for name in ("needs.toml", "state.boids", "likes.toml")]
    done = opened_all(home, scenes)
    assert done.returncode == 0, done.stderr
    opened, refused = map(int, done.stdout.split())
    assert opened == len(bundled) + 1
    assert refused == len(scenes) - opened
    assert not list(home.rglob("ran"))
    assert not list(home.rglob("*.pyc"))
    Trust(home / "config" / "boids-sandbox" / "mods.toml").enable("evil", read_content(evil).digest)
    done = opened_all(home, scenes[-1:])
    assert "('exec', " in done.stderr
    assert ran.exists()
