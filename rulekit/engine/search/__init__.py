"""Agents, tree search and the analysis of positions and games."""
