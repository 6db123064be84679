"""Errors for requests of a page that are refused."""

from __future__ import annotations

from rulekit.common.errors import RulekitError


class Stale(RulekitError):
    """The request is about another position than the current one."""


class RequestRefused(RulekitError):
    """The page may not make this request."""
