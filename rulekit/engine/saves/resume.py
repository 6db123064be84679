"""Continue the game of a save."""

from __future__ import annotations

from attrs import evolve, frozen

from rulekit.common.errors import RulekitError, SaveError
from rulekit.common.files import printable
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.saves.recorder import Recorder, Replay, Save, replay
from rulekit.engine.search.agent_registry import HUMAN, seat_name, seat_plan


@frozen
class Resumed:
    """A game that continues.

    Attributes:
        recorder: the recorder of the game.
        seats: the seat of each side.
        notes: the differences from the save, one a line.
    """

    recorder: Recorder
    seats: dict[str, str]
    notes: list[str]


def resume(game: Game, save: Save, asked: dict[str, str], in_place: bool = False) -> Resumed:
    """Replay a save and continue it.

    Under changed rules this is possible only if they did the same so far.

    Args:
        asked: seats that replace those of the save.
        in_place: continue in the file of the save. Changed rules are not possible then.

    Raises:
        SaveError: the game cannot continue. The text lists the differences.
    """
    done = replay(game, save)
    file, names = printable(save.path), done.state.names
    notes = [f"  {each}" for each in done.differences]
    if done.differences and done.same:
        raise SaveError(
            "\n".join(
                [
                    names.say(
                        _(
                            "{file}: the save does not fit the rules: {why}",
                            file=file,
                            why=names.say(_("the save was changed")),
                        )
                    ),
                    *notes,
                ]
            )
        )
    if done.first_difference:
        raise SaveError(
            "\n".join(
                [
                    names.say(
                        _(
                            "{file}: the save does not fit the rules: {why}",
                            file=file,
                            why=done.first_difference["cause"],
                        )
                    ),
                    *notes,
                ]
            )
        )
    if done.differences and in_place:
        raise SaveError(
            "\n".join(
                [
                    names.say(
                        _(
                            "{file} was made with other rules: continue in another file"
                            " (`--save FILE`)",
                            file=file,
                        )
                    ),
                    *notes,
                ]
            )
        )
    if done.differences:
        notes.insert(
            0,
            names.say(
                _(
                    "the save was made with other rules; all choices so far have the same"
                    " result under the present rules, so the game continues under these"
                )
            ),
        )
    if save.cut:
        notes.append(
            names.say(_("the last line of {file} was incomplete and was left out", file=file))
        )
    saved = _seats(save, done, asked)
    seats = saved | asked
    notes += [
        names.say(
            _(
                "{side}: {seat} now, {saved} in the save",
                side=names.label(done.state.table.program.sides, names.side(side)),
                seat=_seat(done.state, seat),
                saved=_seat(done.state, saved[side]),
            )
        )
        for side, seat in seats.items()
        if saved[side] not in ("", seat)
    ]
    # the records get the present names
    before = evolve(save, records=done.now) if done.renaming.pairs else save
    return Resumed(Recorder(game, done.state, seats, before), seats, notes)


def _seats(save: Save, done: Replay, asked: dict[str, str]) -> dict[str, str]:
    """Return the seats in the save, or '' for sides that are asked for and not in it.

    A person sits where the save says nothing. An unknown seat is an error, unless another is asked
    for.
    """
    given = {
        done.renaming.now.get(("side", side), side): seat
        for side, seat in save.header["seats"].items()
    }
    try:
        return seat_plan(
            {side: seat for side, seat in given.items() if side not in asked},
            done.state.names,
            HUMAN,
        ) | {side: given.get(side, "") for side in asked}
    except RulekitError as error:
        raise SaveError(_("{where}: {why}", where=f"{printable(save.path)}:1", why=error)) from None


def _seat(state: State, seat: str) -> str:
    return seat_name(state.names, seat)
