"""A buffer of things that are drawn many at once, each of them one record."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from arcade import ArcadeContext
from arcade.gl import BufferDescription, Program
from numpy.typing import NDArray

FIRST_CAPACITY = 1024  # instances


class Instances:
    """Holds as many instances as were last uploaded; it grows with them.

    Attributes:
        count: how many it holds.
    """

    def __init__(self, context: ArcadeContext, dtype: np.dtype[np.void], formats: str) -> None:
        """`formats` are those of the fields of `dtype`, as arcade writes them: "2f 1u"."""
        self.count = 0
        self._buffer = context.buffer(reserve=FIRST_CAPACITY * dtype.itemsize, usage="stream")
        names: Sequence[str] = dtype.names or ()
        self._geometry = context.geometry([BufferDescription(self._buffer, formats, names, instanced=True)])

    def upload(self, instances: NDArray[np.void]) -> None:
        """Send instances to the graphics card as they are."""
        self.count = len(instances)
        if not self.count:
            return
        # Orphaning lets the card keep the old data until it has drawn them.
        grown = self._buffer.size if instances.nbytes <= self._buffer.size else 2 * instances.nbytes
        self._buffer.orphan(size=grown)
        self._buffer.write(instances.view(np.uint8).data)

    def draw(self, program: Program, mode: int, vertices: int) -> None:
        """Draw so many vertices for each; without any there is no draw call."""
        if self.count:
            self._geometry.render(program, mode=mode, vertices=vertices, instances=self.count)
