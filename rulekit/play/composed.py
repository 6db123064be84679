"""Takes a state and a line such as `move red.A1 red.A2 to P to Q`, makes the single choices that it stands for."""

from __future__ import annotations

from rulekit.base.errors import IllegalChoice
from rulekit.play.decision import matching
from rulekit.play.state import State
from rulekit.program.program import PC
from rulekit.program.runtime import members


def choose(state: State, line: str) -> None:
    """Makes the choice of a line. Where no option fits the whole line: the option that its first word names, then each thing that is
    named is added to the group, `to Z` goes on to Z, and after the last word the walk stops if it may."""
    asked = state.decision
    words = line.split()
    if asked is None or asked.kind == "group" or len(words) < 2 or matching(line, list(asked.options)) or not _offered(state, words[0]):
        state.apply(line)
        return
    before = len(state._marks)
    try:
        _composed(state, words)
    except IllegalChoice:
        while len(state._marks) > before:
            state.undo()
        raise


def _composed(state: State, words: list[str]) -> None:
    player = state.decision.player if state.decision else ""
    state.apply(words[0])
    named: list[str] = []
    rest = words[1:]
    while rest:
        word = rest.pop(0)
        if word == "to" and rest:
            _go_to(state, rest.pop(0), named)
        elif _kind(state) == "group" and _offered(state, f"add {word}"):
            option = matching(f"add {word}", list(state.decision.options if state.decision else ()))[0]
            named += map(str, option.params.values())
            state.apply(option)
        elif word in (already := _picked(state)):  # the only possibility, so it was not asked
            named.append(already[word])
        elif _kind(state) != "walk":  # in a walk it is under way: the only possibility, so it was not asked
            raise IllegalChoice(f"{word!r} cannot be added here")
    if _kind(state) == "walk" and state.decision is not None and state.decision.player == player and _offered(state, "stop"):
        state.apply("stop")


def _picked(state: State) -> dict[str, str]:
    """At the decision about a group: the ids of those picked so far, by id and by its last dotted part."""
    table = state.table
    info = table.program.decisions[state._s[PC]]
    if info.group_slot < 0:
        return {}
    kind = table.program.families[info.families[0]].params[0].kind
    ids = [table.program.kinds[kind].members[member] for member in members(state._s[info.group_slot])]
    return {word: id for id in ids for word in (id, id.rsplit(".", 1)[-1])}


def _go_to(state: State, place: str, named: list[str]) -> None:
    if _kind(state) == "group":
        state.apply("go")
    if _kind(state) == "walk" and _offered(state, f"to {place}"):
        state.apply(f"to {place}")
    elif not all(_place(state, piece) == place for piece in named):
        raise IllegalChoice(f"'to {place}' is not offered here")


def _place(state: State, piece: str) -> str | None:
    names = state.names
    for kind, cell in names.place_cells.items():
        at = names.ordinals[kind].get(piece)
        if at is not None:
            found = state.get(f"{cell.name}.{names.program.kinds[kind].members[at]}")
            return None if found is None else str(found)
    return None


def _kind(state: State) -> str:
    return state.decision.kind if state.decision is not None else ""


def _offered(state: State, key: str) -> bool:
    return state.decision is not None and len(matching(key, list(state.decision.options))) == 1
