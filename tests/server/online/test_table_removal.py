"""Removal of tables by their owner, or with the owner's account, while somebody takes the last
seat."""

from threading import Thread

import pytest

from rulekit.server.online import personal_data, seating
from tests.server.visitors import PASSWORD


@pytest.fixture
def meanwhile(monkeypatch):
    """Lets a person act as soon as a function has read that play has not begun. Blocked actions are
    awaited later."""

    def arrange(module, name, act):
        found, threads, before = [], [], getattr(module, name)

        def reads(*args, **how):
            out = before(*args, **how)
            if not threads:
                threads.append(Thread(target=lambda: found.append(act())))
                threads[0].start()
                threads[0].join(0.5)
            return out

        monkeypatch.setattr(module, name, reads)

        def done():
            threads[0].join()
            return found[0]

        return done

    return arrange


def test_a_game_that_begins_while_its_table_is_closed_is_not_removed(everywhere, meanwhile):
    anna, bert = everywhere.new("Anna"), everywhere.new("Bert")
    id = anna.opens(access="open")
    sat = meanwhile(
        seating, "load_all", lambda: bert.post(f"/api/tables/{id}/seats/blue").status_code
    )
    closed = anna.delete(f"/api/tables/{id}").status_code
    stands = everywhere.site.store.row(id) is not None
    assert (closed, sat(), stands) in ((204, 404, False), (403, 204, True))


@pytest.mark.parametrize("owner", ["anna", "bert"])
def test_a_game_that_begins_while_somebody_is_forgotten_is_not_removed(
    everywhere, meanwhile, owner
):
    """The person is its owner, or has taken a seat."""
    anna, bert = everywhere.new("Anna"), everywhere.new("Bert")
    id = anna.opens(access="open") if owner == "anna" else bert.opens(access="open", mine=[])
    if owner == "bert":
        assert anna.post(f"/api/tables/{id}/seats/red").status_code == 204
    sat = meanwhile(
        personal_data, "select", lambda: bert.post(f"/api/tables/{id}/seats/blue").status_code
    )
    forgot = anna.ask("DELETE", "/api/me", {"password": PASSWORD}).status_code
    sat, row = sat(), everywhere.site.store.row(id)
    if forgot == 403:
        assert sat == 204 and row is not None and bert.table_status(id)["begun"]
    else:
        assert forgot == 204 and (
            row is None and sat == 404
            if owner == "anna"
            else sat == 204 and bert.table_status(id)["begun"] is None
        )


def test_of_a_table_that_is_gone_nobody_looks_on(online, anna, bert):
    id = anna.opens(access="public")
    with bert.looks(id) as page:
        assert anna.ask("DELETE", "/api/me", {"password": PASSWORD}).status_code == 204
        assert page.until_told("closed")


def test_the_seat_of_who_is_forgotten_is_free_for_those_who_look_on(online, anna, bert):
    id = anna.opens(access="public")
    carl = online.new("Carl")
    other = carl.opens(access="public", mine=[])
    assert anna.post(f"/api/tables/{other}/seats/red").status_code == 204
    with bert.looks(other) as page:
        assert anna.ask("DELETE", "/api/me", {"password": PASSWORD}).status_code == 204
        while page.until_told("table_status")["seats"][1]["who"] is not None:
            pass
    assert online.site.store.row(id) is None and online.site.store.row(other) is not None
