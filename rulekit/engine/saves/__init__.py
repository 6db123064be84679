"""Save files: writing, recording, replaying and continuing games."""
