"""A forward dataflow analysis: which secrets reach players who may not know them."""
