"""Writes the folder of a new game: from templates that play as they stand, or for a library."""
