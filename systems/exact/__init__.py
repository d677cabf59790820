"""Functions with the same bits on every machine: random numbers, vectors, amounts."""
