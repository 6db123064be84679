"""The intermediate form, a closed set of classes: `values` and `statements`. `visitor` walks
through them.
"""
