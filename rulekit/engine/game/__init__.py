"""The public `Game` and `State`."""
