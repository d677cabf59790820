"""Dear ImGui on arcade: rendering and docking of panels, their common widgets, and the events they receive."""
