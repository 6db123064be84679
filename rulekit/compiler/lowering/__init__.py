"""Lowering from the model to the intermediate form."""
