"""What a page may not do, or not there."""

from __future__ import annotations

from rulekit.common.errors import RulekitError


class Stale(RulekitError):
    """What was asked for is about another position than the present one."""


class Refused(RulekitError):
    """What was asked for is not for who asks."""
