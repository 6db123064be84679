"""Reads data files into the model: members, borders, tables, scenarios, drawings, texts."""
