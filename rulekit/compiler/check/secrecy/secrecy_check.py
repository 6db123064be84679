"""Report the leaks of secrets in a checked model, and record in the model the parts of each
variable that must be masked.
"""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.secrecy.disclosures import NO_FACTS, callee
from rulekit.compiler.check.secrecy.facts import Term
from rulekit.compiler.check.secrecy.information_flow import Leaks
from rulekit.compiler.check.secrecy.taint import is_secret
from rulekit.compiler.model.visitor import asked, everything, nodes


def analyse(world: CheckState) -> None:
    """Report leaks, and record in `Model.masked` the secrets by which a shown variable is
    masked.
    """
    model = world.model
    if not any(
        map(
            is_secret,
            [*[c.seen for c in model.cells], *[k.identity or [] for k in model.kinds.values()]],
        )
    ):
        return
    leaks = Leaks(world)
    leaks.follow()
    leaks.values.clear()  # what was learned before all was known of what procedures make known
    leaks.sizes.clear()
    leaks.parts.clear()
    leaks.reporting = True
    leaks.follow()
    for var, found in leaks.values.items():
        known = leaks.lies(var)  # which thing it is may be supposed by who may not know the thing
        model.private[var] = {
            (leaks.roots[s.root], s.key)
            for s in found
            if s.root in leaks.roots and (s.into is not None or not known)
        }
    manifest = world.source.manifest
    looked_at = {
        manifest.get("greedy"),
        (manifest.get("search") or {}).get("total"),
    }  # by seats, in what they suppose
    for total in model.totals:
        if total.name not in looked_at:
            leaks.asked_for(total)
    for permit in model.permits:
        leaks.asked_for(permit)
    given(leaks)
    leaks.tell()
    settle(model)


def settle(model: m.Model) -> None:
    """Replace memory addresses by variables in the keys, because the model is stored in a file.

    A part of a key that is neither a variable nor a value stands for any key.
    """
    known = {id(node): node for node, _ in everything(model) if isinstance(node, m.Var)}

    def key(part: Term) -> Term:
        if part is None or part[0] not in ("var", "const"):
            return None
        return part if part[0] == "const" else ("var", known[part[1]]) if part[1] in known else None

    for noted in (model.masked, model.private):
        for var, found in noted.items():
            noted[var] = {
                (root, None if keys is None else (keys[0], *map(key, keys[1:])))
                for root, keys in found
            }


def given(leaks: Leaks) -> None:
    """Mask the arguments of totals and tables that are chosen values.

    An explanation of a total shows its arguments, and an observer may see only those that they
    know.
    """
    for node in nodes(*leaks.bodies.values()):
        for target in asked(node):
            if isinstance(target, m.Total | m.Permit | m.Define | m.Table):
                args = getattr(node, "args", ())
                for param, arg in zip(target.params, args, strict=False):
                    if leaks.lies(param):  # masked by who may know the thing
                        continue
                    secrets = [s for s in leaks.value(arg, NO_FACTS) if s.into is not None]
                    leaks.mask(param, secrets, callee(target.params, args))
