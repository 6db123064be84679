"""Fixtures of the hostile cases."""

from tests.hostile.hostile_case import case, command, server

__all__ = ["case", "command", "server"]
