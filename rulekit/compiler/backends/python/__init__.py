"""The Python backend."""
