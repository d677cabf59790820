"""The same bits everywhere: random numbers, vectors, noise, amounts."""
