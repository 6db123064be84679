"""Passes over the intermediate form, one a file; `uses` is what two of them ask of code."""
