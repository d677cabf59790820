"""Layer 2: what happens in a tick. One file per system, in the folder of its phase."""
