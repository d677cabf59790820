"""Bounds the memory that a file can ask for, whatever it says."""

from __future__ import annotations

MOST = 256 << 20  # bytes


class Budget:
    """The memory that is left for what is unpacked or made from one file, in bytes.

    The state that a file begins with is not charged: its arrays are at most those of the largest world. Everything else
    is, each thing once.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = self.left = most

    def check(self, size: int) -> None:
        """Raise ValueError if fewer bytes than `size` are left."""
        if size > self.left:
            raise ValueError(f"takes too much memory: what a file unpacks to must fit into {self._most >> 20} MB")

    def take(self, size: int) -> None:
        """Charge `size` bytes.

        Raises:
            ValueError: fewer are left.
        """
        self.check(size)
        self.left -= size
