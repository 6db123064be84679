"""Backends: print the intermediate form as code."""
