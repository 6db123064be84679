"""Presence of people across several processes."""

import pytest

from rulekit.server.online.accounts import Person
from rulekit.server.online.presence import EVERY, LASTS, Presence, Watchers


class Bus:
    """Stores messages. With `rings` it delivers them at once."""

    def __init__(self, own):
        self.own, self.said = own, []

    def say(self, id, what):
        self.said.append((id, what))


def person(name):
    return Person(name.lower(), name, False, False, "en", None, None)


ANNA, BERT = person("Anna"), person("Bert")


def made(own, clock):
    bus = Bus(own)
    return bus, Presence(bus, lambda: clock[0])


@pytest.mark.parametrize("name", ["A", "漢" * 40, "\U00020000" * 40, '"\\' * 20])
def test_whatever_they_are_called_there_is_room_for_what_is_said(name):
    """PostgreSQL refuses a NOTIFY of 8000 bytes, and then nobody would be announced."""
    bus, presence = made("a", [0.0])
    presence.at(
        "t" * 16, [Person(f"{n:016}", name, False, False, "en", None, None) for n in range(500)]
    )
    [(_, text)] = bus.said
    assert 6500 < len(text.encode()) < 7900
    _, other = made("b", [0.0])
    other.heard(text)
    assert len(other.at("t" * 16, []).known) > 30


def test_it_is_said_when_it_changes_and_to_a_process_that_was_not_known():
    clock = [0.0]
    (here, one), (there, two) = made("a", clock), made("b", clock)
    assert one.at("t", [ANNA, ANNA, None]) == Watchers({"anna": "Anna"}, 1)
    assert one.at("t", [ANNA, None]) and len(here.said) == 1, "nothing new"
    two.at("t", [BERT])
    two.heard(here.said[-1][1])
    assert (
        two.at("t", [BERT]) == Watchers({"anna": "Anna", "bert": "Bert"}, 1)
        and len(there.said) == 2
    ), "the other is answered"
    one.heard(there.said[-1][1])
    assert (
        one.at("t", [ANNA, None]).known == {"anna": "Anna", "bert": "Bert"} and len(here.said) == 2
    )
    two.heard(here.said[-1][1])
    two.at("t", [BERT])
    assert len(there.said) == 2, "and that is the end of it"
    two.at("t", [])
    one.heard(there.said[-1][1])
    assert one.at("t", [ANNA]) == Watchers({"anna": "Anna"}, 0)


def test_what_is_not_said_again_is_forgotten():
    clock = [0.0]
    (here, one), (_, two) = made("a", clock), made("b", clock)
    one.at("t", [ANNA])
    two.heard(here.said[-1][1])
    two.at("t", [BERT])
    clock[0] += EVERY
    assert one.due() == [] and len(here.said) == 2
    assert one.at("t", [ANNA]) and len(here.said) == 2, "nothing new"
    clock[0] += LASTS - EVERY + 1
    assert two.due() == ["t"]
    assert two.at("t", [BERT]).known == {"bert": "Bert"}


def test_of_all_tables_it_is_said_again_in_few_messages_and_told_where_it_is_new():
    clock = [0.0]
    (here, one), (_, two) = made("a", clock), made("b", clock)
    ids = [f"table{n:011}" for n in range(500)]
    for id in ids:
        one.at(id, [ANNA])
    for _, text in here.said[:250]:
        assert len(two.heard(text)) == 1
    del here.said[:]
    one.due()
    assert len(here.said) < 10 and all(len(text.encode()) < 7900 for _, text in here.said)
    new = [id for _, text in here.said for id in two.heard(text)]
    assert new == ids[250:]
    assert all(two.at(id, []).known == {"anna": "Anna"} for id in ids)
    one.due()
    assert [id for _, text in here.said for id in two.heard(text)] == []


def test_a_table_that_nobody_looks_at_any_more_is_new_once():
    clock = [0.0]
    (here, one), (_, two) = made("a", clock), made("b", clock)
    one.at("t", [ANNA])
    one.at("t", [])
    first, last = (text for _, text in here.said)
    assert two.heard(first) == ["t"] == two.heard(last) and two.at("t", []) == Watchers({}, 0)
