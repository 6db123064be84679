"""The reasons why an option is illegal, or why a piece or place cannot be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import asdict, evolve, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.explain import refusals
from rulekit.engine.explain.reasons import Reason, concerned
from rulekit.engine.kernel.decision import Option, matching, refuse_long
from rulekit.engine.kernel.events import HIDDEN
from rulekit.engine.kernel.names import Names
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import decision_of
from rulekit.presentation.forecast import forecast
from rulekit.presentation.plan import plan

CHOOSING = ("group", "pick", "walk")  # decisions about pieces and places


@frozen
class Refusal:
    """One reason why an option is not offered.

    Attributes:
        key: the option.
        text: the reason, without the option.
        ref: the rule paragraphs.
        cause: a word for programs, as in `Reason`. There are also other (another player decides),
            over (the game is over), moment (not now) and none (there is no such option).
        of: the ids of the pieces and places that it is about, with those of the option first.
    """

    key: str
    text: str
    ref: tuple[str, ...] = ()
    cause: str = ""
    of: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


def why(observer: Observer, key: str) -> list[Refusal]:
    """Return the reasons why an option is illegal for the observer, or nothing if it is offered.

    A key can mean several options. An observer without a decision is told only that.
    """
    refuse_long(observer.names, key)
    closed = _closed(observer, key)
    if closed:
        return closed
    state, names = observer.state, observer.names
    if refusals.of_unknown(state, key):
        return [Refusal(key, names.say(_("you may not know what that is")), (), "unknown")]
    options = refusals.nameable(state, observer.options())
    if len(matching(key, options, names)) == 1:
        return []
    meant = refusals.meant(state, key)
    if meant:
        return list(_refusals(observer, meant))
    apart = refusals.not_there(state, key)
    if apart:
        return [_reason(key, (), reason) for reason in apart]
    known = refusals.by_name(state, key)  # an option of another decision
    return [
        (
            Refusal(key, names.say(_("it is not possible at this moment")), (), "moment")
            if known
            else Refusal(key, names.say(_("there is no such option here")), (), "none")
        )
    ]


def why_not(observer: Observer, thing: str, keys: Sequence[str] = ()) -> list[Refusal]:
    """Return the reasons why a piece or place (by id) cannot be chosen, or not more of it.

    They cover each option that names it and is not offered, nearest first, then those behind an
    option that leads to a choice of it. If there are none, they cover options that name its present
    place. The result is empty if everything that names it is offered.

    Args:
        keys: for a place, the keys that have chosen a group so far (see `forecast`). The reasons
            are then those why the group cannot go there.
    """
    refuse_long(observer.names, thing)
    if keys and _is_place(observer, thing):
        found = _nor_there(observer, thing, keys)
        if found is not None:
            return found
    closed = _closed(observer, thing)
    if closed:
        return closed
    state = observer.state
    if refusals.of_unknown(state, thing):
        return [
            Refusal(thing, observer.names.say(_("you may not know what that is")), (), "unknown")
        ]
    found, offered = (
        list(_refusals(observer, refusals.about(state, thing))),
        _names(observer, thing),
    )
    for option in observer.options():
        after = _after(observer, option) if not option.params else None
        if after is not None:
            found += [
                evolve(each, key=f"{option.key} {each.key}")
                for each in _refusals(after, refusals.about(after.state, thing))
            ]
            offered = offered or _names(after, thing)
    if not found and not offered:
        found = [
            each
            for place in _stands(observer, thing)
            for each in _refusals(observer, refusals.about(state, place))
        ]
    return found or (
        []
        if offered
        else [
            Refusal(thing, observer.names.say(_("it is not possible at this moment")), (), "moment")
        ]
    )


def _is_place(observer: Observer, thing: str) -> bool:
    """Return True if it is the id of a place where pieces can stand."""
    return any(
        thing in observer.names.ordinals[cell.type.kind]
        for cell in observer.names.place_cells.values()
    )


def _nor_there(observer: Observer, place: str, keys: Sequence[str]) -> list[Refusal] | None:
    """Return the reasons why the pieces chosen by keys cannot go to a place.

    They are the reasons of their walk, as far as the observer can foresee it. None means that there
    is no such walk.
    """
    found, names = forecast(observer, keys), observer.names
    if found.refused is not None or found.stopped_by not in (None, "choice"):
        return None
    if place in (reach.place for reach in found.places):
        return []
    copy = observer.state.clone()
    after, done = Observer(copy, observer.me), plan(Observer(copy, observer.me), found.keys)
    if (
        done.rest
        or copy.is_terminal()
        or copy.current_player() != observer.me
        or copy.asking.kind != "walk"
    ):
        pieces = [key.split()[1] for key in keys if key.startswith("add ")]
        if len(found.places) != 1 or not pieces:
            return None
        at = found.places[0].place  # there was no other way, so they moved without asking
        text = names.say(
            _(
                "{what} can only go to {at}",
                what=_label(names, pieces[0]),
                at=_label(names, at),
            )
        )
        return [Refusal(f"to {place}", text, (), "apart", (place, at))]
    key = f"to {place}"
    apart = refusals.not_there(copy, key)
    return (
        [_reason(key, (), reason) for reason in apart]
        or [*_refusals(after, refusals.about(copy, place))]
        or None
    )


def _label(names: Names, id: str) -> str:
    """Return the label of an id for people."""
    return next(
        names.label(kind, known[id]) for kind, known in enumerate(names.ordinals) if id in known
    )


def _names(observer: Observer, thing: str) -> bool:
    """Return True if an offered option names a thing."""
    return any(thing in option.params.values() for option in observer.options())


def _after(observer: Observer, option: Option) -> Observer | None:
    """Return the observer after an option that only leads to a choice of things by the same player.

    The result is None if the option does more.
    """
    copy = observer.state.clone()
    try:
        events = copy.push(option.id)
    except RulekitError:
        return None
    if (
        len(events) > 0
        or copy.is_terminal()
        or copy.asking.kind not in CHOOSING
        or copy.current_player() != observer.me
    ):
        return None
    return Observer(copy, observer.me)


def _stands(observer: Observer, thing: str) -> Iterator[str]:
    """Yield the place of a piece, if the observer may know it."""
    for kind, cell in observer.names.place_cells.items():
        piece = observer.names.ordinals[kind].get(thing, -1)
        place = (
            observer.value_at(observer.program.cells.index(cell), (piece,)) if piece >= 0 else None
        )
        if place not in (None, HIDDEN):
            yield str(place)


def _closed(observer: Observer, key: str) -> list[Refusal]:
    """Return the answer to an observer who has no decision."""
    asked, names = decision_of(observer.state), observer.names
    if asked is None:
        return [Refusal(key, names.say(_("the game is over")), (), "over")]
    if observer.me >= 0 and asked.player == names.sides[observer.me]:
        return []
    who = names.label(observer.program.sides, names.side(asked.player)) if asked.player else ""
    return [Refusal(key, names.say(_("it is {who}'s decision", who=who)), (), "other")]


def _refusals(observer: Observer, found: Iterable[refusals.OptionRefusal]) -> Iterator[Refusal]:
    """Yield each reason of each option once, with the ids that the option names first."""
    book, refusals_found = observer.state.table.book, dict[Refusal, None]()
    for each in found:
        option = book.option(each.action)
        if any(reason.cause == "unknown" for reason in each.reasons):
            refusals_found[
                Refusal(
                    option.key.split()[0],
                    observer.names.say(_("you may not know what that is")),
                    (),
                    "unknown",
                )
            ] = None
            continue
        named = concerned(observer.names, option.params.values())
        refusals_found.update(
            dict.fromkeys(_reason(option.key, named, reason) for reason in each.reasons)
        )
    yield from refusals_found


def _reason(key: str, named: tuple[str, ...], reason: Reason) -> Refusal:
    return Refusal(
        key, reason.text, reason.ref, reason.cause, tuple(dict.fromkeys((*named, *reason.of)))
    )
