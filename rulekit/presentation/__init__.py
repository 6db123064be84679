"""The view of one game for one observer, as values with `to_json()`.

The table page, the terminal and scripts use it.
"""
