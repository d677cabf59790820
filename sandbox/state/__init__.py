"""The exact state of a simulation: snapshots, digests, autosaves."""
