"""Findings about a game's files: source spans, diagnostics, their sink, and their output."""
