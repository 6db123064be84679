"""Parses moves that players type."""
