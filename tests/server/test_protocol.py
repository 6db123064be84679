"""Messages of the WebSocket are validated by type, and the page's types are those of the
classes."""

import importlib.util
from pathlib import Path

import pytest

from rulekit.common.errors import RulekitError
from rulekit.server import protocol

WEB = Path(__file__).parents[2] / "web"


def test_the_types_of_the_page_are_those_of_the_classes():
    spec = importlib.util.spec_from_file_location("wiretypes", WEB / "wiretypes.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert (WEB / "src" / "protocol.gen.ts").read_text(encoding="utf-8") == made.text(), (
        "run: .venv/bin/python web/wiretypes.py"
    )


def test_a_message_comes_as_its_class():
    assert protocol.read('{"type": "take", "at": 3, "keys": ["to ford"]}') == protocol.Take(
        3, ["to ford"]
    )
    assert protocol.read(b'{"type": "sit", "seat": "red", "lang": "fr", "re": 7}') == protocol.Sit(
        "red", "fr", 7
    )


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "truncated"),
        ("[", "object"),
        ("3", "object"),
        ('{"type": "deal"}', "deal"),
        ('{"type": "take", "at": "3", "keys": []}', r"\$\.at"),
        ('{"type": "take", "at": 3}', "keys"),
        ('{"type": "take", "at": 3, "keys": [], "seat": "red"}', "seat"),
        ("[" * 60_000, "not a valid message"),
        ('{"type": "take", "at": 3, "keys": [4]}', r"\$\.keys\[0\]"),
        (b'{"type": "why", "at": 1, "key": "\xff"}', "UTF-8|utf-8"),
        ('{"type": "undo", "at": 1' + "0" * 400 + "}", r"\$\.at"),
    ],
)
def test_what_is_no_message_is_refused_with_what_is_wrong(text, why):
    with pytest.raises(RulekitError, match=why):
        protocol.read(text)


def test_what_is_too_long_is_not_read():
    with pytest.raises(RulekitError, match="65536"):
        protocol.read('{"type": "why", "at": 1, "key": "' + "x" * protocol.LONGEST + '"}')
    most = ['"go"'] * protocol.KEYS
    assert (
        len(protocol.read('{"type": "take", "at": 1, "keys": [' + ",".join(most) + "]}").keys)
        == protocol.KEYS
    )
    with pytest.raises(RulekitError, match=f"{protocol.KEYS} keys"):
        protocol.read('{"type": "take", "at": 1, "keys": [' + ",".join([*most, '"go"']) + "]}")
