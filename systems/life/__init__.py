"""LIFE: who eats, grows, is born and dies; carried out in COMMIT."""
