"""The help at the prompt."""

from __future__ import annotations

from rulekit.common.i18n.messages import _

HELP = (
    _(
        "Type the number or the key of an option.\nA key may be shortened. If it fits several options,"
        " they are shown."
    ),
    _(
        "A whole move fits in one line: an option, its group in any order (or all), and the way."
        " If part of it is\nimpossible, nothing of it is done."
    ),
    _(
        "  march A1 A2 B3 to P to Q   A1, A2 and B3 march from where they are to P, then to Q, and"
        " stop there. If another\n                             player can react on the way, the"
        " line waits, and goes on after a pass"
    ),
    _(
        "  activate P A1 A2 to Q      the line may also hold the choices before the group. You can"
        " leave out a choice if\n                             nothing else leads to the group"
    ),
    _(
        "  A1 A2 B3, 1 2 5, all       where you pick a group: these, these numbers of the list,"
        " all.\n                             `A1 A2 done` and `A1 A2 to P` go on at once"
    ),
    _(
        "  options [TEXT]    the options again, or those that contain the text;  more: the next page"
    ),
    _("  find TEXT         pieces, places, cards: where they are, their state, what they can do"),
    _(
        "  board [TEXT]      the position in short, or the places that contain the text;  map: every"
        " place with its\n                    neighbours"
    ),
    _("  log [N|more|all]  what happened: the last lines, N lines, the page before, everything"),
    _(
        "  why [OPTION]      why an option, or a whole line, is not possible. Without an option:"
        " what is refused here,\n                    and why"
    ),
    _(
        "  odds [OPTION]     the results of the next roll, with their chances and effects: after one"
        " option, or after each"
    ),
    _("  paths [PIECES]    where these pieces can go together, by which way, and at what cost"),
    _("  hint              what the search would choose here with your knowledge"),
    _(
        "  since             what happened since your last decision;  replay: the same step by step"
        " (Enter: the next step).\n                    replay N: from choice N on; replay next|back;"
        " replay board: the position there; replay end"
    ),
    _("  total NAME [ARG]  how a total is computed (also permits)"),
    _("  undo, redo        take back your last line; repeat it"),
    _(
        "  pass all          pass all windows until you get another decision, or until somebody"
        " plays something in a window"
    ),
    _(
        "  skip [all] [turn|game]   pass windows of this kind (or all) until something happens, for"
        " this turn, for the game;\n                    skip off"
    ),
    _(
        "  auto pass on|off  only if you play alone: take a pass, or the only option of a list, for"
        " you? (`--ask-all`: off)"
    ),
    _("  save FILE, load FILE     save the game in a file; continue a saved game"),
    _("  help, quit        this help; leave the game"),
)


def helptext(lang: str) -> str:
    """Return the help in a language."""
    return "\n".join(message.text(lang) for message in HELP)
