"""Binds data files to the model: members, borders, tables, scenarios, drawings, texts."""
