"""Turns a game folder into a compiled game: reads, parses, checks, lowers and emits it."""
