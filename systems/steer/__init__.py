"""STEER: each system adds to the acceleration."""
