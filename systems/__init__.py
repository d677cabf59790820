"""Layer 2: the systems, which run in every tick. One file per system, in the folder of its phase."""
