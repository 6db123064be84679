"""The format of a compiled game, and the functions that emitted code calls."""
