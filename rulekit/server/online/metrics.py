"""Metrics for Prometheus: requests, sockets, choices, the time until they are stored, open
rooms.
"""

from __future__ import annotations

from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()
_REQUESTS = Histogram(
    "rulekit_request_seconds",
    "Requests by their route",
    ["method", "route", "status"],
    registry=REGISTRY,
    buckets=(0.005, 0.02, 0.1, 0.5, 2.0),
)
_CHOICES = Counter(
    "rulekit_choices_total", "Choices that were kept, made and taken back", registry=REGISTRY
)
_ROOMS = Gauge("rulekit_rooms", "Games that are open in this process", registry=REGISTRY)
_SOCKETS = Gauge("rulekit_sockets", "Pages that look at a game of this process", registry=REGISTRY)
_NOTICES = Counter(
    "rulekit_notices_total",
    "Notices by channel and what became of them",
    ["channel", "result"],
    registry=REGISTRY,
)
_FAILURES = Counter(
    "rulekit_task_failures_total",
    "What a task of this process could not do, by the task",
    ["task"],
    registry=REGISTRY,
)
_AGES = Gauge(
    "rulekit_task_age_seconds",
    "How long ago a round of a task last succeeded",
    ["task"],
    registry=REGISTRY,
)


def seen(method: str, route: str, status: int, seconds: float) -> None:
    """Count an answered request."""
    _REQUESTS.labels(
        method if method in ("GET", "POST", "PUT", "DELETE") else "other", route, str(status)
    ).observe(seconds)


def kept() -> None:
    """Count stored choices."""
    _CHOICES.inc()


def noticed(channel: str, result: Literal["sent", "failed", "given_up"]) -> None:
    """Count a notification."""
    _NOTICES.labels(channel, result).inc()


def failed(task: str) -> None:
    """Count a failure of a background task."""
    _FAILURES.labels(task).inc()


def metrics_text(rooms: int, sockets: int, ages: dict[str, float]) -> bytes:
    """Return all metrics in the text format of Prometheus.

    Args:
        ages: the seconds since the last successful round of each background task.
    """
    _ROOMS.set(rooms)
    _SOCKETS.set(sockets)
    for task, seconds in ages.items():
        _AGES.labels(task).set(seconds)
    return generate_latest(REGISTRY)
