"""Plays a compiled game: positions, moves, hidden information, explanations, search and saves."""
