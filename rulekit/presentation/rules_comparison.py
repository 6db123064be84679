"""Play a save under its own rules and under others side by side, and report the differences.

The comparison covers the decisions, the options with their names and prices, and the reasons of
illegal options. It also covers the events, the observation of the player who decides, and the
result. So it includes options that nobody chose. For each sort of difference it reports the first
place and the number of places. Changed names do not count as differences
(`rulekit.engine.saves.renamed_names`) and are reported once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import error_text
from rulekit.engine.explain import refusals
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead.player_lookahead import PlayerLookahead
from rulekit.engine.saves.recorder import start
from rulekit.engine.saves.renamed_names import Renaming, kinds_of
from rulekit.engine.saves.save_format import Save, SaveRecord
from rulekit.presentation.decision import points
from rulekit.presentation.position import position

SORTS = (
    "start",
    "asked",
    "prompt",
    "gone",
    "new",
    "order",
    "label",
    "price",
    "reason",
    "refused",
    "events",
    "shown",
    "result",
    "names",
)
MOST_REASONS = 300  # the number of decisions whose reasons are compared
LONGEST = 200  # the largest number of characters of a value in the report

_DIFFERENCES = {
    "start": _("the game cannot begin under these rules: {now}"),
    "asked": _("choice {n}: another decision: {before}; now {now}"),
    "prompt": _("choice {n}: another prompt: {before}; now {now}"),
    "gone": _("choice {n} ({player}): {what} is no longer offered: {now} (in all: {times})"),
    "new": _("choice {n} ({player}): {what} is offered now (in all: {times})"),
    "order": _("choice {n} ({player}): the options stand in another order"),
    "label": _("choice {n} ({player}): {what} is called {now}, not {before} (in all: {times})"),
    "price": _("choice {n} ({player}): {what} costs {now}, not {before} (in all: {times})"),
    "reason": _(
        "choice {n} ({player}): another reason why options are not offered:"
        " {before}; now {now} (in all: {times})"
    ),
    "refused": _("choice {n} ({player}): {what} was chosen and is no longer possible: {now}"),
    "events": _("choice {n} ({player}): something else happens: {before}; now {now}"),
    "shown": _(
        "choice {n} ({player}): the position shows {what} as {now}, not {before} (in all: {times})"
    ),
    "result": _("the result is {now}, not {before}"),
    "names": _("{before} is called {now} (changed names in all: {times})"),
}


@frozen
class Difference:
    """The first difference of a sort.

    Attributes:
        sort: the sort of difference.
        choice: the number of the choice at that place.
        player: the player who decides under the old rules, or ''.
        what: the option or other subject.
        before: the value under the old rules, or ''.
        now: the value under the new rules, or ''.
        times: the number of differences of this sort.
    """

    sort: str
    choice: int
    player: str
    what: str
    before: str
    now: str
    times: int = 1

    def text(self, lang: str) -> str:
        """Return one line for people."""
        return _DIFFERENCES[self.sort].text(
            lang,
            n=str(self.choice),
            player=self.player or "-",
            what=self.what,
            before=self.before or "-",
            now=self.now or "-",
            times=str(self.times),
        )


@define
class Comparison:
    """The differences between two rules.

    Attributes:
        choices: the number of choices compared.
        fits: True if these are all choices of the save.
    """

    choices: int = 0
    fits: bool = True
    _first: dict[str, Difference] = field(factory=dict)
    _times: dict[str, int] = field(factory=dict)

    def add(
        self, sort: str, choice: int, player: str, what: str, before: object, now: object
    ) -> None:
        """Record a difference."""
        self._times[sort] = self._times.get(sort, 0) + 1
        self._first.setdefault(
            sort, Difference(sort, choice, player, _short(what), _short(before), _short(now))
        )

    def differences(self, players: Sequence[str] | None = None) -> list[Difference]:
        """Return the first difference of each sort, in order.

        Args:
            players: only differences at decisions of these players, and those that concern no
                player.
        """
        found = [
            Difference(
                each.sort,
                each.choice,
                each.player,
                each.what,
                each.before,
                each.now,
                self._times[sort],
            )
            for sort in SORTS
            if (each := self._first.get(sort)) is not None
        ]
        return [each for each in found if players is None or each.player in ("", *players)]

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "choices": self.choices,
            "fits": self.fits,
            "differences": [
                {
                    "sort": each.sort,
                    "choice": each.choice,
                    "player": each.player,
                    "what": each.what,
                    "before": each.before,
                    "now": each.now,
                    "times": each.times,
                }
                for each in self.differences()
            ],
        }


def compare(before: Game, now: Game, save: Save, to: int | None = None) -> Comparison:
    """Play the choices that stand in a save under both rules, as far as both accept them.

    Raises:
        SaveError: the save does not belong to `before`.
    """
    out, one = Comparison(), start(before, save)
    try:
        other = start(now, save)
    except RulekitError as error:
        out.add("start", 0, "", "", "", error_text(now.lang, error))
        out.fits = False
        return out
    pair = _Pair(
        out,
        one,
        other,
        Renaming(before.names_digest() != now.names_digest(), kinds_of(other.table.program)),
    )
    pair.events(0, "", [e.to_json() for e in one.events], [e.to_json() for e in other.events])
    dice = ""
    for record in save.choices:
        if not out.fits or (to is not None and out.choices >= to):
            break
        if record.dice != dice:
            dice = record.dice
            for state in (one, other):
                state.renew(save.seed_by(dice))
        pair.step(record)
    pair.end()
    return out


@define
class _Pair:
    """Both games at the same point."""

    out: Comparison
    one: State
    other: State
    renaming: Renaming

    def step(self, record: SaveRecord) -> None:
        """Compare a decision, make the choice in both games, and compare the events."""
        number, player = self.out.choices + 1, record.by or ""
        if self.one.decision is None:
            self.out.fits = False
            return
        keys = self._decision(number, player)
        chosen = record.choice or ""
        if chosen not in keys:
            self.out.add("refused", number, player, chosen, "", self._why(keys.get(chosen, chosen)))
            self.out.fits = False
            return
        try:
            first, second = self.one.apply(chosen), self.other.apply(keys[chosen])
        except RulekitError as error:
            self.out.add(
                "refused", number, player, chosen, "", error_text(self.other.names.lang, error)
            )
            self.out.fits = False
            return
        self.out.choices += 1
        self.events(number, player, [e.to_json() for e in first], [e.to_json() for e in second])

    def events(self, number: int, player: str, first: list[Any], second: list[Any]) -> None:
        """Compare events. After a difference the games are no longer comparable."""
        found = self.renaming.events(first, second)
        if found is not None:
            self.out.add("events", number, player, "", found[0], found[1])
            self.out.fits = False

    def end(self) -> None:
        """Compare the final positions."""
        number = self.out.choices + 1
        if self.out.fits and self.one.decision is not None and self.other.decision is not None:
            self._decision(number, self.one.decision.player)
        results = [
            state.result.to_json() if state.result else None for state in (self.one, self.other)
        ]
        if results[0] != results[1]:
            self.out.add("result", number, "", "", results[0], results[1])
        for then, today in self.renaming.pairs:
            self.out.add("names", 0, "", "", then, today)

    def _why(self, key: str) -> str:
        try:
            return "; ".join(self.other.why(key))
        except RulekitError as error:
            return error_text(self.other.names.lang, error)

    # ----------------------------------------------------------------------------------- a decision
    def _decision(self, number: int, player: str) -> dict[str, str]:
        """Compare a decision. Return the options of both rules: new keys by old keys."""
        one, other = self.one.decision, self.other.decision
        assert one is not None
        if (
            other is None
            or not self.renaming.name("side", one.player, other.player)
            or one.kind != other.kind
        ):
            other_text = "" if other is None else f"{other.player}: {other.prompt}"
            self.out.add("asked", number, player, "", f"{one.player}: {one.prompt}", other_text)
            return {}
        if one.prompt != other.prompt:
            self.out.add("prompt", number, player, "", one.prompt, other.prompt)
        keys = self._keys(
            [option.key for option in one.options],
            [option.key for option in other.options],
            number,
            player,
        )
        first, second = (self._options(state) for state in (self.one, self.other))
        for key, now in keys.items():
            for at, sort in enumerate(("label", "price")):
                if first[key][at] != second[now][at]:
                    self.out.add(sort, number, player, key, first[key][at], second[now][at])
        if number <= MOST_REASONS:
            self._reasons(number, player)
        self._shown(number, player)
        return keys

    def _keys(self, one: list[str], other: list[str], number: int, player: str) -> dict[str, str]:
        """Match the options of both rules by their keys. Report those that are gone or new."""
        there = set(other)
        keys = {key: key for key in one if key in there}
        for key in one:
            if key not in keys and self.renaming.allowed:
                taken = set(keys.values())
                like = next(
                    (
                        each
                        for each in other
                        if each not in taken and self.renaming.copy().key(key, each)
                    ),
                    None,
                )
                if like is not None and self.renaming.key(key, like):
                    keys[key] = like
        for key in one:
            if key not in keys:
                self.out.add("gone", number, player, key, key, self._why(key))
        for key in other:
            if key not in keys.values():
                self.out.add("new", number, player, key, "", key)
        if len(keys) == len(one) == len(other) and [keys[key] for key in one] != other:
            self.out.add("order", number, player, "", ", ".join(one), ", ".join(other))
        return keys

    @staticmethod
    def _options(state: State) -> dict[str, tuple[str, str]]:
        """Return the label and the price of each option."""
        lookahead = PlayerLookahead.of(Observer(state, state.current_player()))
        return (
            {
                option.key: (
                    option.label,
                    ", ".join(_price(state, paid) for paid in lookahead.paid(option.id)),
                )
                for option in state.decision.options
            }
            if state.decision is not None
            else {}
        )

    def _reasons(self, number: int, player: str) -> None:
        """Compare the reasons of illegal options, grouped by reason."""
        one, other = (refusals.overview(state) for state in (self.one, self.other))
        if one != other and not (self.renaming.allowed and len(one) == len(other)):
            gone, new = (
                [line for line in one if line not in other],
                [line for line in other if line not in one],
            )
            self.out.add(
                "reason", number, player, "", gone[0] if gone else "", new[0] if new else ""
            )

    def _shown(self, number: int, player: str) -> None:
        """Compare the observations of the player who decides: totals, tracks and values."""
        one, other = (
            position(Observer(state, state.current_player())).to_json()
            for state in (self.one, self.other)
        )
        for path, before, now in _unlike(one, other):
            if not (self.renaming.allowed and self.renaming.pairs):
                self.out.add("shown", number, player, path, before, now)
                return


def _price(state: State, paid: Any) -> str:
    found = points(state.names, *paid)
    return f"{found.amount} {found.unit or found.of}"


def _unlike(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path and both values of each difference between two observations."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            if key not in ("undo", "choice"):
                yield from _unlike(
                    one.get(key), other.get(key), f"{path}.{key}" if path else str(key)
                )
    elif one != other:
        yield path, one, other


def _short(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
