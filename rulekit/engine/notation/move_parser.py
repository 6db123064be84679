"""Plays a whole move from one line of text, for example `move red.A1 red.A2 to P to Q`.

A line is the words of an option, and of those chosen after it (`activate P move`). Words may be
left out where only one option leads to the named piece. Then come the pieces in any order (or
`all`), `done` if the group is to leave, and `to PLACE` once or several times. The walk ends at the
last place. At a decision about a group the first part is left out: `A1 A2`, `1 2` (numbers of the
list), `all`, `A1 A2 done`, `A1 A2 to P`. At a walk, the pieces are left out, too: `to P to Q`,
`to P stop`.

The player's own windows on the way are passed, and those in which another player can only pass. If
another player has a choice, the move waits.

The work has three steps. `move_tokens` splits the text, `move_plan` reads the tokens in a position,
and `move_execution` plays the plan. Here the three are joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.common.errors import IllegalChoice, RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.explain import refusals
from rulekit.engine.game.state import State
from rulekit.engine.kernel.decision import Option, refuse_long
from rulekit.engine.kernel.undo_barrier import barrier
from rulekit.engine.notation.move_execution import MoveExecution, MoveWaits, PassedWindows
from rulekit.engine.notation.move_plan import MovePlan, is_multi_step, plan_choice, plan_move
from rulekit.engine.notation.move_tokens import MoveToken, Role, move_tokens, texts


def choose(state: State, text: str, through: bool = True) -> str:
    """Play the option or the multi-step move that a text stands for.

    Return the part of the text that is left if another player has to choose in a window first
    (without `through`: if another player is asked at all). It can be played after that choice. A
    move that fails only after dice, a draw or a reveal is played up to there, and the rest is
    returned.

    Raises:
        IllegalChoice: a part of the move is illegal. Then nothing is played.
    """
    refuse_long(state.names, text)
    if not is_multi_step(state, text):
        state.apply(text)
        return ""
    _play(state.clone(), text, PassedWindows.ALL)
    kept = [mark.option for mark in state.marks]
    try:
        return _play(state, text, PassedWindows.FORCED if through else PassedWindows.NONE)
    except RulekitError:
        _restore(state, kept)
        raise


def preview_options(state: State, text: str) -> Iterator[tuple[State, Option]]:
    """Yield the options of a multi-step move, each with the position before it.

    The last one is the first after which something was rolled, drawn or revealed. Nothing is
    yielded for a single option or an illegal move. Every position is the same object, played on.
    """
    try:
        if not is_multi_step(state, text):
            return
        played = state.clone()
        _play(played, text, PassedWindows.ALL)
    except RulekitError:
        return
    there, player = state.clone(), state.current_player()
    for mark in played.marks[state.move_number() :]:
        if mark.chooser == player:
            yield there, there.find(mark.option)
        before = len(there.log)
        there.apply_action(mark.option)
        if barrier(there.table.program, there.log, before):
            return


def why(state: State, text: str) -> list[str]:
    """Return the reasons why a move or an option is illegal, or nothing if it is legal.

    They name the rule and its paragraph.
    """
    try:
        refuse_long(state.names, text)
        options = state.decision.options if state.decision else ()
        if not is_multi_step(state, text, refusals.nameable(state, options)):
            return state.why(text)
        _play(state.clone(), text, PassedWindows.ALL)
    except RulekitError as error:
        return [str(error.__cause__ or error)]  # without the remark that nothing was played
    return []


def _play(state: State, text: str, passed: PassedWindows) -> str:
    """Plan and play a multi-step move on a state. Return the text of the part that is left."""
    decision, begun = state.decision, len(state.log)
    assert decision is not None
    tokens = move_tokens(text, state.names)
    stops = tokens[-1].has(Role.STOP)
    if stops:
        del tokens[-1]
    rest: Sequence[MoveToken] = tokens
    execution = MoveExecution(state, passed, decision.player)
    try:
        while choice := plan_choice(state, rest, decision.player):
            rest = choice.rest
            execution.left = MovePlan(words=tuple(texts(rest)), stops=stops)
            execution.take(choice.option)
        numbered = decision.options if decision.kind == "group" else None
        execution.play(plan_move(state, rest, stops, numbered))
    except MoveWaits:
        return str(execution.left)
    except RulekitError as error:
        if barrier(state.table.program, state.log, begun):
            return str(execution.left)  # what has been revealed cannot be taken back
        undone = state.names.say(_("no part of the line was played"))
        raise IllegalChoice(f"{error}{state.names.semicolon}{undone}") from error
    return ""


def _restore(state: State, kept: Sequence[int]) -> None:
    """Bring back the choices that had been made when they were `kept`."""
    now = [mark.option for mark in state.marks]
    same = next(
        (i for i, (a, b) in enumerate(zip(now, kept, strict=False)) if a != b),
        min(len(now), len(kept)),
    )
    while len(state.marks) > same:
        state.undo()
    for action in kept[same:]:
        state.apply(action)
