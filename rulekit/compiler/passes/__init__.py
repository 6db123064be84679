"""Passes over the intermediate form, one in each module. `use_sets` is an analysis that two of them
share.
"""
