"""Load a game folder, begin every scenario, and validate situations: work for both halves."""
