"""Fixtures of the hostile cases."""

from tests.hostile.hostile_case import case, server

__all__ = ["case", "server"]
