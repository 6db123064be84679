"""The help at the prompt."""

from __future__ import annotations

import textwrap

from rulekit.common.i18n.messages import _

INDENT = 20  # columns before an explanation

# A paragraph, or the form of a command and, on the next line, its explanation.
HELP = (
    _(
        "Type the number or the key of an option. A key may be shortened. If it fits several"
        " options, they are shown."
    ),
    _(
        "A whole move fits in one line: an option, its group in any order (or all), and the"
        " way. If part of it is impossible, nothing of it is done."
    ),
    _(
        "march A1 A2 B3 to P to Q\n"
        "A1, A2 and B3 march from where they are to P, then to Q, and stop there. If another"
        " player can react on the way, the line waits, and goes on after a pass"
    ),
    _(
        "activate P A1 A2 to Q\n"
        "the line may also hold the choices before the group. You can leave out a choice if"
        " nothing else leads to the group"
    ),
    _(
        "A1 A2 B3, 1 2 5, all\n"
        "where you pick a group: these, these numbers of the list, all. `A1 A2 done` and `A1"
        " A2 to P` go on at once"
    ),
    _("options [TEXT]\nthe options again, or those that contain the text; more: the next page"),
    _("find TEXT\npieces, places, cards: where they are, their state, what they can do"),
    _(
        "board [TEXT]\n"
        "the position in short, or the places that contain the text; map: every place with"
        " its neighbours"
    ),
    _("log [N|more|all]\nwhat happened: the last lines, N lines, the page before, everything"),
    _(
        "why [OPTION]\n"
        "why an option, or a whole line, is not possible. Without an option: what is refused"
        " here, and why"
    ),
    _(
        "odds [OPTION]\n"
        "the results of the next roll, with their chances and effects: after one option, or"
        " after each"
    ),
    _("paths [PIECES]\nwhere these pieces can go together, by which way, and at what cost"),
    _("hint\nwhat the search would choose here with your knowledge"),
    _(
        "since\n"
        "what happened since your last decision; replay: the same step by step (Enter: the"
        " next step). replay N: from choice N on; replay next|back; replay board: the"
        " position there; replay end"
    ),
    _("total NAME [ARG]\nhow a total is computed (also permits)"),
    _("undo, redo\ntake back your last line; repeat it"),
    _(
        "pass all\n"
        "pass all windows until you get another decision, or until somebody plays something"
        " in a window"
    ),
    _(
        "skip [all] [turn|game]\n"
        "pass windows of this kind (or all) until something happens, for this turn, for the"
        " game; skip off"
    ),
    _(
        "auto pass on|off\n"
        "only if you play alone: take a pass, or the only option of a list, for you?"
        " (`--ask-all`: off)"
    ),
    _("save FILE, load FILE\nsave the game in a file; continue a saved game"),
    _(
        "situation FILE\n"
        "write this position as a situation, for the tests of the game: it contains everything,"
        " also what you may not know"
    ),
    _("help, quit\nthis help; leave the game"),
)


def helptext(lang: str, width: int) -> str:
    """Return the help in a language, in lines of at most `width` columns where words allow it."""
    lines: list[str] = []
    for message in HELP:
        form, _newline, explanation = message.text(lang).partition("\n")
        if not explanation:
            lines += textwrap.wrap(form, width)
            continue
        head = f"  {form}"
        if len(head) > INDENT - 2:
            lines.append(head)
            head = ""
        lines += textwrap.wrap(
            explanation,
            max(width, 2 * INDENT),
            initial_indent=head.ljust(INDENT),
            subsequent_indent=" " * INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines)
