"""Checks a game: resolves names, types expressions, and reports findings."""
