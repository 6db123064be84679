"""Analyses of a model that the lowering uses."""
