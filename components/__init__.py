"""Layer 1: what an entity can be. Declarations, no behaviour."""
