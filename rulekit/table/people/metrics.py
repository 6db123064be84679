"""Takes what happens, counts it for Prometheus: requests, sockets, choices, the time until they are kept, open rooms."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()
_REQUESTS = Histogram("rulekit_request_seconds", "Requests by their route", ["method", "route", "status"], registry=REGISTRY,
                      buckets=(0.005, 0.02, 0.1, 0.5, 2.0))
_CHOICES = Counter("rulekit_choices_total", "Choices that were kept, made and taken back", registry=REGISTRY)
_ROOMS = Gauge("rulekit_rooms", "Games that are open in this process", registry=REGISTRY)
_SOCKETS = Gauge("rulekit_sockets", "Pages that look at a game of this process", registry=REGISTRY)
_NOTICES = Counter("rulekit_notices_total", "Notices by channel and what became of them", ["channel", "result"], registry=REGISTRY)


def seen(method: str, route: str, status: int, seconds: float) -> None:
    """A request was answered."""
    _REQUESTS.labels(method if method in ("GET", "POST", "PUT", "DELETE") else "other", route, str(status)).observe(seconds)


def kept() -> None:
    """Choices were kept."""
    _CHOICES.inc()


def noticed(channel: str, sent: bool) -> None:
    """A notice was sent, or could not be."""
    _NOTICES.labels(channel, "sent" if sent else "failed").inc()


def told(rooms: int, sockets: int) -> bytes:
    """All of it, as Prometheus reads it."""
    _ROOMS.set(rooms)
    _SOCKETS.set(sockets)
    return generate_latest(REGISTRY)
