"""Looks things up for an author: words of the language, diagnostic codes, and names of a game."""
