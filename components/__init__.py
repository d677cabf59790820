"""Layer 1: the declarations of components; no behaviour."""
