"""Runs situations, counts move trees, and compares the native module with Python."""
