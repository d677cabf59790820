"""SENSE: builds the spatial indexes that later phases search."""
