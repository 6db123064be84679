"""Takes a viewer, makes `Asked`: the decision at which play stands, with all that each option is made of."""

from __future__ import annotations

from typing import Any

from attrs import asdict, field, frozen

from rulekit.play.decision import Option
from rulekit.play.view import Viewer


@frozen
class Offered:
    """One option. `key` takes it (`State.apply`); `verb` is the first word of its key; `params` by name."""

    key: str
    verb: str
    label: str
    params: dict[str, Any] = field(hash=False)
    ref: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


@frozen
class Asked:
    """Who is asked what. `kind`: choose, pick, group, walk, window, tie; `moment`: of a window, the moment that is open; `procedure`: which
    one asks. `options`: None for all but the player who is asked."""

    player: str
    kind: str
    prompt: str
    ref: tuple[str, ...]
    moment: str | None
    procedure: str
    options: tuple[Offered, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def asked(viewer: Viewer) -> Asked | None:
    """The decision as a viewer may know it; None when the game is over."""
    now = viewer.state.decision
    if now is None:
        return None
    mine = viewer.me >= 0 and now.player == viewer.names.sides[viewer.me]
    options = tuple(_offered(viewer, o) for o in viewer.options()) if mine else None
    return Asked(now.player, now.kind, viewer.prompt(), now.ref, now.moment, now.procedure, options)


def _offered(viewer: Viewer, option: Option) -> Offered:
    verb = viewer.state.table.book.option(option.id).key.split()[0]
    return Offered(option.key, verb, option.label, option.params, option.ref)
