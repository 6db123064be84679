"""The classes that validate the API describe it, and no request causes an internal error."""

import json

import hypothesis
import pytest
import schemathesis
from httpx2 import InvalidURL, UnsupportedProtocol
from hypothesis import HealthCheck

from rulekit.server.online.admin import ADMIN
from rulekit.server.online.api import ENDPOINTS
from rulekit.server.online.endpoints import Endpoint
from rulekit.server.online.openapi import described
from tests.server.visitors import PUBLIC

SCHEMA = schemathesis.openapi.from_dict(json.loads(json.dumps(described([*ENDPOINTS, *ADMIN]))))
SCHEMA.config.phases.coverage.unexpected_methods = set()  # unknown methods are handled by Starlette


def test_the_description_names_every_endpoint_and_its_types(online):
    told = online.somebody().get("/api/openapi.json").json()
    assert sum(len(methods) for methods in told["paths"].values()) == len(ENDPOINTS) + len(ADMIN)
    assert told["components"]["protocol"]["Hosting"]["additionalProperties"] is False
    assert all(
        operation["summary"] for methods in told["paths"].values() for operation in methods.values()
    )


def test_a_docstring_gives_an_operation_its_summary_and_description():
    """The first paragraph of the function's docstring is the summary, the rest the description."""

    def documented(ask):
        """Do one thing, in
        two lines.

        A detail of it.

        Another one.
        """

    def brief(ask):
        """Do another thing."""

    paths = described([Endpoint("GET", "/a", documented), Endpoint("GET", "/b", brief)])["paths"]
    first, second = paths["/a"]["get"], paths["/b"]["get"]
    assert first["summary"] == "Do one thing, in two lines."
    assert first["description"] == "A detail of it.\n\nAnother one."
    assert second["summary"] == "Do another thing."
    assert second["description"] == ""


@pytest.fixture
def fuzzed(online, anna, bert):
    """Sends a random request as a person at a table. Half of the time the random id is that of the
    table."""
    ids = [online.game(anna, bert), anna.opens(access="open")]

    def ask(case):
        path = case.formatted_path
        if "{id}" in case.path and sum(path.encode()) % 2:
            path = case.path.replace("{id}", ids[sum(path.encode()) // 2 % 2])
            for name, value in (case.path_parameters or {}).items():
                path = path.replace(f"{{{name}}}", str(value))
        body = (
            case.body
            if isinstance(case.body, bytes)
            else json.dumps(case.body if case.body is not schemathesis.core.NOT_SET else None)
        )
        query = {name: str(value) for name, value in (case.query or {}).items()}
        try:
            return online.client.request(
                case.method,
                path,
                content=body,
                params=query,
                headers={"origin": PUBLIC, "cookie": anna.cookie},
            )
        except (
            InvalidURL,
            UnsupportedProtocol,
            UnicodeError,
        ):  # not a valid address for a client
            return None

    return ask


@SCHEMA.parametrize()
@hypothesis.settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_finds_a_fault_of_the_server(case, fuzzed):
    answer = fuzzed(case)
    if answer is None:
        return
    assert answer.status_code < 500, answer.text
    if (
        answer.status_code in (400, 401, 403, 404, 429)
        and answer.headers["content-type"] == "application/json"
    ):
        assert set(answer.json()) == {"error"}
