"""MOVE: integrates accelerations and velocities to positions; edges and collisions."""
