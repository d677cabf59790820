"""Spatial indexes, neighbour searches, shapes, and sums over neighbours."""
