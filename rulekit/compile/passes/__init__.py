"""Passes over the intermediate form, one a file."""
