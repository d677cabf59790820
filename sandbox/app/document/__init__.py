"""The document: a simulation, its past, what a person selected, and how it is looked at."""
