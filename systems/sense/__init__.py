"""SENSE: builds the indexes that later phases search."""
