"""Default texts for passing, groups, dice and draws.

A game may define its own under the same keys.
"""

from __future__ import annotations

from rulekit.common.i18n.messages import _

DEFAULTS = {
    "pass": _("pass"),
    "stop": _("stop"),
    "go": _("done"),
    "add": _("add"),
    "to": _("to {place}"),
    "event.die_rolled": _("{who} rolls {value} ({purpose})"),
    "event.die_rolled.nobody": _("The die shows {value} ({purpose})"),
    "event.roll_cancelled": _("The roll {value} is cancelled"),
    "event.drawn": _("{who} draws {what}"),
    "event.drawn.nobody": _("{what}: drawn to {target}"),
    "event.put": _("{who} puts {what} in {target}"),
    "event.put.nobody": _("{what}: now in {target}"),
    "event.gathered": _("{what}: now in {target}"),
    "event.gathered.nobody": _("{what}: now in {target}"),
    "event.revealed": _("{what} is revealed"),
}
