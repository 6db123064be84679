"""Plays on from a position to preview what a choice brings."""
