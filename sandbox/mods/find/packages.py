"""Import hooks for mods: `boids_mods.ID` is a package made of the files that were read, not of those on disk now.

A person enables a mod with its present content, so the bytes that were hashed must be the bytes that run. `__file__`
is in a folder with copies of them, so the data that the code reads are these bytes too; the line numbers of errors
refer to the mod's own folder. Compiled files are neither read nor written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.readers import FileReader
from importlib.util import spec_from_file_location
from types import ModuleType

from sandbox.mods.find.content import Content

ROOT = "boids_mods"


class _Loader(SourceLoader):
    """Loads one file of a mod. A folder without `__init__.py` is a package, as if that file were empty."""

    def __init__(self, content: Content, path: str) -> None:
        self._content, self._path = content, path
        self.path = str(content.unpacked / path)  # `__file__`

    def get_resource_reader(self, fullname: str) -> FileReader:
        """Return what `importlib.resources` reads the files beside the module with."""
        return FileReader(self)  # type: ignore[arg-type]  # it takes any loader with a `path`

    def get_filename(self, fullname: str) -> str:
        return str(self._content.folder / self._path)

    def get_data(self, path: str | bytes) -> bytes:
        if path != str(self._content.folder / self._path):
            raise OSError(f"{path!r} is not the file of this module")  # no compiled files
        return self._content.files.get(self._path, b"")


class _AliasLoader(Loader):
    """Makes a module of a later version importable by the usual name too; both names give the same module."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self._name)
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._own


class _Finder(MetaPathFinder):
    """Finds the modules of mods.

    Attributes:
        contents: the content of each package, by its name.
        newest: the name of the package that `boids_mods.ID` refers to, by id.
    """

    def __init__(self) -> None:
        self.contents: dict[str, Content] = {}
        self.newest: dict[str, str] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        root, _, rest = fullname.partition(".")
        if root != ROOT:
            return None
        if not rest:
            return ModuleSpec(fullname, None, is_package=True)
        own, _, inside = rest.partition(".")
        if (newest := self.newest.get(own, own)) != own:
            return ModuleSpec(fullname, _AliasLoader(".".join(filter(None, (ROOT, newest, inside)))))
        content = self.contents.get(own)
        if content is None:
            raise _missing(fullname)
        here = inside.replace(".", "/")
        init, folders = f"{here}/__init__.py".removeprefix("/"), None
        if f"{here}.py" in content.files and init not in content.files:
            loader = _Loader(content, f"{here}.py")
        elif not here or any(name.startswith(f"{here}/") for name in content.files):
            loader, folders = _Loader(content, init), [str(content.unpacked / here)]
        else:
            raise _missing(fullname)  # returning None would let other finders search the folder on disk
        return spec_from_file_location(fullname, loader.path, loader=loader, submodule_search_locations=folders)


def _missing(name: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(f"No module named {name!r}", name=name)


_finder = _Finder()


@contextmanager
def all_or_none() -> Iterator[None]:
    """Restore all packages of mods if the block raises."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    contents, newest, modules = dict(_finder.contents), dict(_finder.newest), _modules(ROOT)
    try:
        yield
    except BaseException:
        for mod in {_mod_in(name) for name in _modules(ROOT)} - {""}:
            forget(mod)
        _finder.contents, _finder.newest = contents, newest
        sys.modules.update(modules)
        for name, module in modules.items():
            parent, _, own = name.rpartition(".")
            if parent in modules:
                setattr(modules[parent], own, module)
        raise


def import_from(mod: str, content: Content, version: int, module: str) -> ModuleType:
    """Import a module of a mod; must be called within `all_or_none`.

    The package of the first version is called `boids_mods.ID`. Later versions have fresh names, so that no module of
    an older version is mistaken for theirs; from then on `boids_mods.ID` is an alias of the newest.
    """
    forget(mod)
    own = mod if version == 1 else f"{mod}@{version}"
    _finder.contents[own], _finder.newest[mod] = content, own
    return import_module(f"{ROOT}.{own}.{module}")


def forget(mod: str) -> None:
    """Make a mod impossible to import; code that has imported it keeps its references."""
    _finder.newest.pop(mod, None)
    for own in [known for known in _finder.contents if known.partition("@")[0] == mod]:
        del _finder.contents[own]
    for name in [name for name in _modules(ROOT) if _mod_in(name) == mod]:
        del sys.modules[name]
    if (root := sys.modules.get(ROOT)) is not None:
        for own in [name for name in vars(root) if name.partition("@")[0] == mod]:
            delattr(root, own)


def home_of(thing: object) -> str:
    """Return the mod and file that a class or an instance is from: "the mod magnet (magnet.py)", or "the program"."""
    module = getattr(thing, "__module__", "")
    mod = _mod_in(module) if module.startswith(f"{ROOT}.") else ""
    file = "/".join(module.split(".")[2:]) or "__init__"
    return f"the mod {mod} ({file}.py)" if mod else "the program"


def _mod_in(name: str) -> str:
    """Return the id of the mod that a module of this name belongs to; empty for the root package."""
    return name.removeprefix(ROOT).lstrip(".").partition(".")[0].partition("@")[0]


def _modules(package: str) -> dict[str, ModuleType]:
    return {name: m for name, m in sys.modules.items() if name == package or name.startswith(f"{package}.")}
