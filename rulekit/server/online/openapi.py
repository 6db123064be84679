"""The OpenAPI description of endpoints, derived from the classes that validate their requests and
answers.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from rulekit import __version__
from rulekit.server.online.endpoints import Endpoint
from rulekit.server.online.protocol import Trouble

KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "New for each wish: a request that comes twice is done once.",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,64}$"},
}
NAMES_OF_TYPES = {str: "string", int: "integer"}
WHY = {
    400: "What was sent cannot be.",
    401: "Only for people with a session.",
    403: "Not for who asks.",
    404: "There is none.",
    422: "The key came with another request before.",
    429: "Too often.",
    503: "The database or the server of mail cannot be used now.",
}


def described(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """Return the description as plain data."""
    endpoints = list(endpoints)
    types = [
        each
        for endpoint in endpoints
        for each in (endpoint.takes, endpoint.gives)
        if each not in (None, str)
    ] + [Trouble]
    protocol, components = msgspec.json.schema_components(
        types, ref_template="#/components/protocol/{name}"
    )
    known = {id(each): schema for each, schema in zip(types, protocol, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        path = re.sub(r":int\}", "}", endpoint.path)
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint, known)
    return {
        "openapi": "3.1.0",
        "info": {"title": "rulekit serve", "version": __version__},
        "paths": paths,
        "components": {"protocol": components},
    }


def _operation(endpoint: Endpoint, known: dict[int, Any]) -> dict[str, Any]:
    summary, *paragraphs = re.split(r"\n{2,}", inspect.getdoc(endpoint.do) or "")
    summary = " ".join(summary.split())
    codes = (*endpoint.may_refuse, *([422] if endpoint.again else []))
    refusals = {
        str(code): {"description": WHY[code], "content": _content(known[id(Trouble)])}
        for code in codes
    }
    given: dict[str, Any] = {"description": summary}
    if endpoint.gives is str:
        given["content"] = {"application/x-ndjson": {"schema": {"type": "string"}}}
    elif endpoint.gives is not None:
        given["content"] = _content(known[id(endpoint.gives)])
    status = 204 if endpoint.gives is None else endpoint.status
    out: dict[str, Any] = {
        "summary": summary,
        "description": "\n\n".join(paragraphs),
        "responses": {str(status): given, **refusals},
        "parameters": [
            *(
                {
                    "name": name,
                    "in": "path",
                    "required": True,
                    "schema": {"type": "integer", "minimum": 0} if number else {"type": "string"},
                }
                for name, number in re.findall(r"\{(\w+)(:int)?\}", endpoint.path)
            ),
            *(
                {
                    "name": name,
                    "in": "query",
                    "schema": {"type": NAMES_OF_TYPES[type]},
                }
                for name, type in endpoint.query.items()
            ),
            *([KEY] if endpoint.again else []),
        ],
    }
    if endpoint.takes is not None:
        out["requestBody"] = {"required": True, "content": _content(known[id(endpoint.takes)])}
    return out


def _content(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
