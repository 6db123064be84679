"""Explain why an option is illegal: the rule, its paragraph, and the fact that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulekit.common.i18n.message_format import fill
from rulekit.common.i18n.message_format import names as gap_names
from rulekit.common.i18n.messages import _
from rulekit.engine.explain.reasons import Reason, cited, graph_kind, price, refusal_reasons, said
from rulekit.engine.kernel.decision import Option, matching, no_such, refuse_long, words_of
from rulekit.engine.kernel.names import NO_LIMIT, Names, tidy, verb_of
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.visibility import Visibility, decision_of
from rulekit.runtime.program import FamilyInfo

MAX_SEARCHED_OPTIONS = 4000  # the largest number of options that are searched for a name
SHOWN = 8  # the largest number of names shown for one reason
_CLAUSES = {
    "limit": _("its limit is reached"),
    "pays": _("you cannot pay for it"),
    "with": _("there is nothing to use it on"),
}


@frozen
class OptionRefusal:
    """The explanation of an illegal option.

    Attributes:
        reasons: the reasons, one by one.
        why: the same in words.
        known: True if a rule is the reason.
        late: the index of the clause that failed, or -1. A later one means a nearer miss.
    """

    action: int
    reasons: tuple[Reason, ...]
    why: str
    known: bool
    late: int = 0


def explain(state: Position, action: int) -> str:
    """Return the reason why this option is illegal here."""
    book, names = state.table.book, state.names
    key = repr(book.option(action).key)
    family = book.family(action)
    decision = state.asking
    if state.table.program.families.index(family) not in decision.families:
        return not_now(state, key)
    return names.say(_("{key} is refused: {why}", key=key, why=refused(state, family, action).why))


def why_text(state: Position, choice: str) -> list[str]:
    """Return the reasons why the option that a text means is illegal, or nothing if it is offered.

    See `State.why`.
    """
    if state.is_terminal():
        return [state.names.say(_("the game is over"))]
    refuse_long(state.names, choice)
    options = nameable(state, state.table.book.options(state.legal_actions()))
    if len(matching(choice, options, state.names)) == 1:
        return []
    return by_name(state, choice) or [no_such(state.names, choice, options)]


def refused(state: Position, family: FamilyInfo, action: int) -> OptionRefusal:
    """Return the refusal of an option, as far as the current player may know."""
    reasons, known, late = _reasons(state, family, action)
    return OptionRefusal(action, tuple(reasons), said(state.names, reasons), known, late)


def _reasons(state: Position, family: FamilyInfo, action: int) -> tuple[list[Reason], bool, int]:
    """Return the reasons, whether a rule is among them, and the index of the clause that failed.

    A thing that the player may not know gives no reason. If a clause reads a secret, neither it nor
    a later one is named as the failed clause.
    """
    names, observer, args = (
        state.names,
        Visibility(state, state.current_player()),
        state.table.book.arguments(family, action),
    )
    if not observer.names_all(action):
        return (
            [Reason(names.say(_("you may not know what that is")), family.ref, "unknown")],
            True,
            -1,
        )
    first_unknown = next(
        (i for i, c in enumerate(family.clauses) if not observer.knows_all(c.presence, args)),
        len(family.clauses),
    )
    failed, trace = state.code.why(state.slots, state.table.program.families.index(family), args)
    if first_unknown <= failed < len(family.clauses) or not observer.knows_all(
        family.secrets, args
    ):
        return (
            [
                Reason(
                    names.say(_("it depends on something you may not know")), family.ref, "secret"
                )
            ],
            True,
            -1,
        )
    found = refusal_reasons(state, trace)
    clause = family.clauses[failed] if 0 <= failed < len(family.clauses) else None
    ref = clause.ref if clause is not None and clause.ref else family.ref
    text, cause = (
        (names.text(clause.key, clause.reason), clause.word) if clause is not None else ("", "")
    )
    if found.price:
        text, cause = f"{text}{names.colon}{found.price}" if text else found.price, "pays"
    elif found.word == "been" and family.arcs:
        kind, place = graph_kind(state), family.arc(action).target
        return (
            [
                Reason(
                    names.say(_("the move has already passed {to}", to=names.label(kind, place))),
                    family.ref,
                    "been",
                    (str(names.id(kind, place)),),
                )
            ],
            True,
            -1,
        )
    elif found.word in ("picked", "start"):
        return (
            [
                Reason(
                    names.say(
                        _("it is already in the group")
                        if found.word == "picked"
                        else _("nobody has moved yet")
                    ),
                    (),
                    found.word,
                )
            ],
            True,
            -1,
        )
    elif found.most is not None:
        text, cause = names.say(_("no more than {n} here", n=str(found.most))), "most"
    elif found.word == "domain":
        text, cause = names.say(_("it is not possible at this moment")), "moment"
    elif clause is None and not found.bars:
        facts = f" ({', '.join(found.facts)})" if found.facts else ""
        return (
            [
                Reason(
                    names.say(_("it is not possible here")) + facts,
                    family.ref,
                    "possible",
                )
            ],
            bool(facts),
            -1,
        )
    elif clause is not None and not text and not found.bars:
        text = names.say(_CLAUSES.get(clause.word, _("a condition does not hold")))
        text += f" ({tidy(clause.name)})" if clause.name else ""
    known = clause is not None or found.word != "domain"
    first = [Reason(text.rstrip(".") if found.bars else text, ref, cause)] if text else []
    return [*first, *found.bars], known, failed if clause else -1


# -------------------------------------------------------------------------------------------- walks
def standing(state: Position, decision: int = 0) -> int:
    """Return the present place of the pieces that walk, or -1 without a walk.

    Args:
        decision: an earlier decision. Without it, the present one counts.
    """
    proc = state.table.program.procs[state.table.program.decisions[decision or state.pc].proc]
    slot = (
        next((v.slot for v in proc.vars if v.name == "at"), -1) if proc.word == "movement" else -1
    )
    return state.slots[slot] if slot >= 0 else -1


def of_stop(state: Position) -> str:
    """Return the reason why a walk cannot end at its present place."""
    return next((refused(state, f, f.base).why for f in _families(state) if f.what == "stop"), "")


def after_walk(state: Position, decision: int, place: str) -> str:
    """Return the reason why a walk that is over does not reach a place.

    Args:
        decision: the earlier decision about the walk.
    """
    program, names, kind = state.table.program, state.names, graph_kind(state)
    family = program.families[program.decisions[decision].families[0]]
    at, to = standing(state, decision), names.ordinals[kind].get(place, -1)
    arcs = [i for i, (_, a, z) in enumerate(family.arcs) if a == at and z == to]
    if to < 0 or not arcs:
        return _not_next(state, family, place, at) or no_such(names, f"to {place}", [])
    refusal = refused(state, family, family.base + arcs[0])
    why = (
        refusal.why
        if refusal.known
        else names.say(_("the move must end at {at}", at=names.label(kind, at))) + cited(family.ref)
    )
    return names.say(_("{key} is refused: {why}", key=repr(f"to {place}"), why=why))


def step_price(state: Position, action: int) -> str:
    """Return the cost of an offered step, or '' if it has none."""
    family = state.table.book.family(action)
    if not family.arcs or not family.prices:
        return ""
    spent, left = family.prices[0], state.slots[family.prices[0].slot]
    [(amount, *__)] = state.code.cost(
        state.slots, state.table.program.families.index(family), [action - family.base]
    )
    return (
        ""
        if left >= NO_LIMIT // 2
        else price(state.names, ("cost", amount, left, spent.unit))["cost"]
    )


def _not_next(state: Position, family: FamilyInfo, text: str, at: int) -> str:
    """Return the message for a named place that is not adjacent to the pieces that walk, or ''."""
    words = text.split()
    kind = graph_kind(state)
    place = state.names.ordinals[kind].get(words[-1] if words else "", -1)
    if place < 0 or at < 0 or place == at or any(a == at and z == place for _, a, z in family.arcs):
        return ""
    return state.names.say(
        _(
            "{to} is not next to {at}",
            to=state.names.label(kind, place),
            at=state.names.label(kind, at),
        )
    )


# ------------------------------------------------------------------------------------- one decision
def _not_offered(state: Position, family: FamilyInfo) -> Iterator[int]:
    """Yield the options of a family that are not offered.

    For a walk, only steps from its place count.

    An option that names a thing unknown to the player counts as not offered. This does not reveal
    whether it is.
    """
    legal, at, observer = (
        set(state.legal_actions()),
        standing(state),
        Visibility(state, state.current_player()),
    )
    for id in range(family.base, family.base + min(family.size, MAX_SEARCHED_OPTIONS)):
        if (id not in legal or not observer.names_all(id)) and (
            not family.arcs or at in (-1, family.arc(id).start)
        ):
            yield id


def nameable(state: Position, options: Sequence[Option]) -> list[Option]:
    """Return the options in which the current player may know everything that they name."""
    observer = Visibility(state, state.current_player())
    return [option for option in options if observer.names_all(option.id)]


def of_unknown(state: Position, text: str) -> str:
    """Return the message for a text that names a thing unknown to the current player, or ''.

    It does not reveal whether the option is offered.
    """
    observer, kinds, words = (
        Visibility(state, state.current_player()),
        state.table.program.kinds,
        set(words_of(text)),
    )
    secret = any(
        kind.hidden_identity
        and not observer.knows(at, i)
        and words & {name.casefold(), name.rsplit(".", 1)[-1].casefold()}
        for at, kind in enumerate(kinds)
        for i, name in enumerate(kind.members)
    )
    asked = decision_of(state)
    found = (
        secret
        and asked is not None
        and not matching(text, nameable(state, asked.options), state.names)
    )
    return (
        state.names.say(
            _(
                "{key} is refused: {why}",
                key=repr(text),
                why=state.names.say(_("you may not know what that is")),
            )
        )
        if found
        else ""
    )


def _families(state: Position) -> list[FamilyInfo]:
    program = state.table.program
    return [program.families[at] for at in state.asking.families]


def _named(state: Position, family: FamilyInfo, word: str) -> bool:
    """Return True if a word begins the name of a family, or its label in the language."""
    label = state.table.book.option(family.base).label.casefold()
    return family.name.startswith(word) or word in (label[: len(word)], label.split(" ", 1)[0])


def meant(state: Position, text: str) -> list[OptionRefusal]:
    """Return at most eight options of this decision that a text may mean and that are not offered.

    If a rule refuses some of them, only these are returned.
    """
    book, words = state.table.book, text.split()
    ids = [
        id
        for family in _families(state)
        if family.what != "option" or len(words) <= 1 or _named(state, family, words[0].casefold())
        for id in _not_offered(state, family)
    ]
    found = matching(text, [book.option(id) for id in ids[:MAX_SEARCHED_OPTIONS]], state.names)
    refusals = (
        [refused(state, book.family(option.id), option.id) for option in _own(state, found)[:8]]
        if found
        else []
    )
    return [r for r in refusals if r.known] or refusals


def by_name(state: Position, text: str) -> list[str]:
    """Return messages for the options that a text may mean and that are not offered."""
    found = meant(state, text)
    if not found:
        at = standing(state)
        ways = (_not_next(state, family, text, at) for family in _families(state) if family.arcs)
        return [why for why in ways if why] or _elsewhere(state, text)
    return list(dict.fromkeys(explain(state, r.action) for r in found))


def about(state: Position, thing: str) -> list[OptionRefusal]:
    """Return refusals of the options that name a thing and are not offered, nearest first."""
    book, out = state.table.book, list[OptionRefusal]()
    for family in _families(state):
        ordinals = [
            state.names.ordinals[param.kind].get(thing, -1) if param.kind >= 0 else -1
            for param in family.params
        ]
        place = state.names.ordinals[graph_kind(state)].get(thing, -1) if family.arcs else -1
        if place < 0 and all(ordinal < 0 for ordinal in ordinals):
            continue
        for id in _not_offered(state, family):
            args = book.arguments(family, id)
            named = any(at == arg >= 0 for at, arg in zip(ordinals, args, strict=True))
            if family.arc(id).target == place if family.arcs else named:
                out.append(refused(state, family, id))
    return sorted(out, key=lambda r: (not r.known, -r.late))


def not_there(state: Position, text: str) -> list[Reason]:
    """Return the reasons for a text that names a place not adjacent to the pieces that walk."""
    at, kind = standing(state), graph_kind(state)
    reasons = [
        why
        for family in _families(state)
        if family.arcs and (why := _not_next(state, family, text, at))
    ]
    of = (
        [
            str(state.names.id(kind, state.names.ordinals[kind][text.split()[-1]])),
            str(state.names.id(kind, at)),
        ]
        if reasons
        else []
    )
    return [Reason(why, (), "apart", tuple(of)) for why in reasons]


def _own(state: Position, found: list[Option]) -> list[Option]:
    """Prefer the current player's own pieces among those that may be meant to join a group."""
    sides, me = state.table.program.sides, state.current_player()

    def is_his(option: Option) -> bool:
        family = state.table.book.family(option.id)
        if family.what != "add":
            return False
        owners = (
            v
            for t, v in state.table.program.kinds[family.params[0].kind].fixed.values()
            if t.form == "member" and t.kind == sides
        )
        return next(
            (v[state.table.book.arguments(family, option.id)[0]] == me for v in owners), False
        )

    return [option for option in found if is_his(option)] or found


def _elsewhere(state: Position, text: str) -> list[str]:
    """Return the message for a text whose first word is an action of another decision."""
    asked, word = decision_of(state), (words_of(text) or [""])[0]

    def words(families: Sequence[FamilyInfo]) -> set[str]:
        acts = [family for family in families if family.what in ("option", "pass")]
        return {verb_of(f).casefold() for f in families} | {
            _headed(state, f).split(" ", 1)[0].casefold() for f in acts
        }

    if asked is None or word not in words(state.table.program.families) - words(_families(state)):
        return []
    return [not_now(state, repr(text))]


def not_now(state: Position, key: str) -> str:
    asked, names = decision_of(state), state.names
    who = names.label(state.table.program.sides, names.side(asked.player)) if asked else ""
    return names.say(
        _(
            "{key} cannot be chosen now: {who} is asked: {prompt}",
            key=key,
            who=who,
            prompt=asked.prompt if asked else "",
        )
    )


def is_refused(state: Position, text: str) -> bool:
    """Return True if a text is, word for word, an option of this decision that is not offered."""
    wanted, book = words_of(text), state.table.book
    for family in _families(state):
        if (
            family.what == "option"
            and words_of(family.name) == wanted[: len(words_of(family.name))]
        ):
            for id in _not_offered(state, family):
                key = words_of(book.option(id).key)
                if len(key) == len(wanted) and all(
                    w in (k, k.rsplit(".", 1)[-1]) for w, k in zip(wanted, key, strict=True)
                ):
                    return True
    return False


def overview(state: Position) -> list[str]:
    """List the illegal options of this decision, grouped by reason, nearest first."""
    book = state.table.book
    names, occupied, observer = (
        state.names,
        _occupied(state),
        Visibility(state, state.current_player()),
    )
    groups: dict[tuple[str, str], list[OptionRefusal]] = {}
    for family in _families(state):
        if family.what == "option" or family.clauses:
            for id in filter(observer.names_all, _not_offered(state, family)):
                refusal = refused(state, family, id)
                if family.what == "add" and not refusal.known:
                    continue  # it is not among the possible members of a group
                groups.setdefault((_headed(state, family), refusal.why), []).append(refusal)
    nearest = sorted(groups.items(), key=lambda item: -max(r.late for r in item[1]))
    several = len({name for name, _ in groups}) > 1
    out: list[str] = []
    # an option of two families is reported once, with the nearest reason
    reported: set[tuple[str, str]] = set()
    for (name, why), found in nearest:
        things = [
            thing
            for thing in dict.fromkeys(book.things(r.action) for r in found)
            if (name, thing) not in reported
        ]
        reported |= {(name, thing) for thing in things}
        if things:
            things.sort(key=lambda thing: thing not in occupied)
            out.append(
                f"{name + names.colon if several else ''}{why}{_some(names, things, occupied)}"
            )
    return out


def _headed(state: Position, family: FamilyInfo) -> str:
    """Return the common text of the options of a family, with dots for the arguments."""
    if family.what in ("add", "go", "stop", "pass"):
        return state.names.own(family.what, {})
    text = state.names.text(family.key, family.label) or tidy(family.name)
    return fill(text, dict.fromkeys(gap_names(text), "..."))


def _occupied(state: Position) -> set[str]:
    """Return the names of the places with pieces that the current player may see."""
    observer = Visibility(state, state.current_player())
    out = set()
    for kind, cell in state.names.place_cells.items():
        at = state.table.program.cells.index(cell)
        for piece in range(len(state.table.program.kinds[kind].members)):
            place = state.raw(cell, (piece,))
            if place >= 0 and observer.sees(at, (piece,)):
                out.add(state.names.label(cell.type.kind, place))
    return out


def _some(names: Names, things: list[str], first: set[str]) -> str:
    """List some of the things, only those in `first` if there are any, and the number of others."""
    named = [thing for thing in things if thing]
    shown = ([thing for thing in named if thing in first] or named)[:SHOWN]
    more = (
        [names.say(_("... and {n} more", n=str(len(named) - len(shown))))]
        if len(named) > len(shown)
        else []
    )
    return f" ({names.semicolon.join([*shown, *more])})" if named else ""
