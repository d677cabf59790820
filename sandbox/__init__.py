"""Layer 3: the program.

    import sandbox

    with sandbox.new(size=(800, 600), seed=7) as sim:
        sim.spawn("starling", 500)
        record = sim.run(600, every=10, record=["polarization"])
        sim.picture("dusk.png")

`new` makes an empty world, `load` opens a scene or a recording, and `loads` the text of a scene. Each returns a
`Sandbox`, which docs/python.md describes.
"""

from __future__ import annotations

from sandbox.warning import SandboxWarning

TYPE_CHECKING = False  # like that of `typing`, whose import takes longer than all else before Ctrl+C is handled
if TYPE_CHECKING:
    from typing import Any

    from sandbox.record import Record
    from sandbox.script.sandbox import Sandbox
    from sandbox.script.worlds import load, loads, new

__all__ = ["Record", "Sandbox", "SandboxWarning", "load", "loads", "new"]

_HOMES = {"Record": "record", "Sandbox": "script.sandbox"}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: every start of the command line imports this package."""
    from importlib import import_module

    if name == "__version__":
        return import_module("importlib.metadata").version("boids-sandbox")
    if name in __all__:
        return getattr(import_module(f"sandbox.{_HOMES.get(name, 'script.worlds')}"), name)
    if name in _names_of_extras():
        from sandbox.extras import modules

        for module in modules("script"):
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module 'sandbox' has no attribute {name!r}")


def _names_of_extras() -> list[str]:
    from sandbox.extras import EXTRAS

    return [name for names in EXTRAS.values() for name in names]


def __dir__() -> list[str]:
    return [*__all__, *_names_of_extras()]
