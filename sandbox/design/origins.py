"""Where entities come from: which `[[spawn]]` made them, and which a person handled one by one.

Saving a scene needs to know: a crowd stays one `[[spawn]]` with a count, what someone placed stands where it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sandbox.design.scene import Entry
from sandbox.serials import Serials


@dataclass
class Origins:
    """A resource of the world; in no snapshot, and empty after one was opened.

    Attributes:
        entries: the scene's entries, each with the first serial it made and one past its last. They are live: a
            command that sets a field of a prefab or gives it another name does so in them too.
        handled: those placed, pasted, moved or edited one by one.
    """

    entries: list[tuple[int, int, Entry]] = field(default_factory=list)
    handled: Serials = field(default_factory=Serials)
