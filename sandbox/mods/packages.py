"""Where Python finds mods: `boids_mods.ID` is a package made of the files that were read, whatever stands there by now.

What a person enabled is a content: the bytes that were looked at are the bytes that run. Compiled files are neither
read nor written beside them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from types import ModuleType

from sandbox.mods.content import Content

ROOT = "boids_mods"


class _Loader(SourceLoader):
    """Runs one file of a mod."""

    def __init__(self, content: Content, path: str) -> None:
        self._content, self._path = content, path

    def get_filename(self, fullname: str) -> str:
        return str(self._content.folder / self._path)

    def get_data(self, path: str | bytes) -> bytes:
        if path != str(self._content.folder / self._path):
            raise OSError(f"{path!r} is not the file of this module")  # compiled files are none of ours
        return self._content.files[self._path]


class _Finder(MetaPathFinder):
    """Finds the modules of mods.

    Attributes:
        contents: by the name of a package.
    """

    def __init__(self) -> None:
        self.contents: dict[str, Content] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        root, _, rest = fullname.partition(".")
        if root != ROOT:
            return None
        if not rest:
            return _package(fullname)
        own, _, inside = rest.partition(".")
        content = self.contents.get(own)
        if content is None:
            raise _missing(fullname)
        here = inside.replace(".", "/")
        init = f"{here}/__init__.py".removeprefix("/")
        if init in content.files:
            return _package(fullname, _Loader(content, init), str(content.folder / here))
        if f"{here}.py" in content.files:
            loader = _Loader(content, f"{here}.py")
            spec = ModuleSpec(fullname, loader, origin=loader.get_filename(fullname))
            spec.has_location = True
            return spec
        if not here or any(name.startswith(f"{here}/") for name in content.files):
            return _package(fullname, None, str(content.folder / here))
        raise _missing(fullname)  # no other finder may look into the folder


def _missing(name: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(f"No module named {name!r}", name=name)


def _package(name: str, loader: _Loader | None = None, folder: str = "") -> ModuleSpec:
    spec = ModuleSpec(name, loader, origin=loader.get_filename(name) if loader else None, is_package=True)
    spec.submodule_search_locations = [folder] if folder else []
    spec.has_location = loader is not None
    return spec


_finder = _Finder()


@contextmanager
def all_or_none() -> Iterator[None]:
    """Where something raises within, every package is again what it was before."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    contents, modules = dict(_finder.contents), _modules(ROOT)
    try:
        yield
    except BaseException:
        _finder.contents = contents
        for name in _modules(ROOT):
            del sys.modules[name]
        sys.modules.update(modules)
        for name, module in modules.items():
            parent, _, own = name.rpartition(".")
            if parent in modules:
                setattr(modules[parent], own, module)
        raise


def import_from(mod: str, content: Content, version: int, module: str) -> ModuleType:
    """Import a module of a mod, within `all_or_none`.

    The package of its first version is called `boids_mods.ID`. Later ones have fresh names, so that nothing of an older
    one is taken for theirs; from then on `boids_mods.ID` means the newest.
    """
    own = mod if version == 1 else f"{mod}@{version}"
    _finder.contents[own] = content
    imported = import_module(f"{ROOT}.{own}.{module}")
    for older in [known for known in _finder.contents if known.partition("@")[0] == mod and known != own]:
        for name in _modules(f"{ROOT}.{older}"):
            del sys.modules[name]
        del _finder.contents[older]
    if own != mod:
        for name, loaded in _modules(f"{ROOT}.{own}").items():
            sys.modules[name.replace(f"{ROOT}.{own}", f"{ROOT}.{mod}", 1)] = loaded
        setattr(sys.modules[ROOT], mod, sys.modules[f"{ROOT}.{own}"])
        _finder.contents[mod] = content
    return imported


def _modules(package: str) -> dict[str, ModuleType]:
    return {name: m for name, m in sys.modules.items() if name == package or name.startswith(f"{package}.")}
