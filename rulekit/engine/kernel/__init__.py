"""The mutable game position, and the names, decisions and events in it."""
