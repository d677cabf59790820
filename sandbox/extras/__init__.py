"""What stands on the core: each folder here can be deleted without the core noticing.

An extra has some of these modules, which the core imports when it comes to need them:

    commands.py   `install(app)` adds commands to the command line, a `typer.Typer`
    window        `install(app)` adds parts of the window to an `App`, like a mod
    script.py     names that `import sandbox` exports
    texts.py      `languages()` returns the names of languages by their codes, `table_of(code)` the texts of one
    files.py      `other_than_a_world(path)` says what a file or folder of its own is, or ""; `bundled()` returns its
                  bundled files: what each is, all of them, and the command that begins one

Nothing outside of this folder imports anything else from here; docs/extras.md says more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "export": (),
    "film": (),
    "languages": (),
    "lessons": (),
    "studies": ("study",),
}
"""By folder: the names in its `script.py`."""


def modules(name: str) -> Iterator[ModuleType]:
    """Yield the module of this name of each extra that is there and has one."""
    for extra in EXTRAS:
        folder = f"{__name__}.{extra}"
        if find_spec(folder) is not None and find_spec(f"{folder}.{name}") is not None:
            yield import_module(f"{folder}.{name}")
