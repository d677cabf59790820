"""Dear ImGui on arcade: what panels are drawn with, and how events reach them."""
