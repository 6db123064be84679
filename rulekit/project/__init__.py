"""What needs both halves: loads a game folder, begins every scenario, validates its situations."""
