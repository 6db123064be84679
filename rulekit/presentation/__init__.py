"""What a frontend needs of one game for one viewer, as values that have `to_json()`: page, terminal
and scripts use it."""
