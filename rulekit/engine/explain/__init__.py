"""Explains a position: how a number came about, why a choice is illegal, why an event happened."""
