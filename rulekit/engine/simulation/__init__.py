"""Plays many games and counts what happened."""
