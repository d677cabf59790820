"""Functions with the same bits on every machine: vectors, directions, fixed-point sums, random numbers."""
