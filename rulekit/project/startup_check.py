"""Begin every scenario of a checked game, and report failures of the compiler with their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType

from rulekit.common.diagnostics.diagnostic import DEFECT, Diagnostic, Sink
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.errors import GameError, RulesError
from rulekit.engine.game.game import Game
from rulekit.runtime.code import as_rules_error
from rulekit.runtime.program import Program
from rulekit.runtime.variants import FAST, FULL

SELF_CYCLE = 2  # places of a rule that sets itself off, which is its first and its last
START_FAILS, START_BREAKS, ENDLESS = "RK521", "RK522", "RK523"


@contextmanager
def at_work(texts: Mapping[str, str], program: Program | None = None) -> Iterator[None]:
    """Turn a failure of the compiler into a GameError at the rule that it was working on.

    Args:
        texts: the texts of the files.
        program: the program whose text becomes code.
    """
    from rulekit.compiler.check.resolve.limits import deep_stack

    try:
        with deep_stack():
            yield
    except Exception as error:  # never the author's error
        place = (
            _in_text(program, error)
            if program is not None and isinstance(error, SyntaxError)
            else _at_work(error)
        )
        raise GameError(
            [_defect(f"this cannot be compiled ({type(error).__name__}: {error})", place)], texts
        ) from error


def begin(game: Game, sink: Sink, invariants: Sequence[Span] = ()) -> None:
    """Bring every scenario to its first decision, in the variants that are played.

    Args:
        invariants: the place of each invariant in the rules.
    """
    names: list[str | None] = [*game.scenarios]
    for scenario in names or [None]:
        try:
            program = game.program(scenario)
        except GameError as error:
            for each in error.diagnostics:
                sink.add(each)
            return
        for variant in (FULL, FAST):
            found = _begun(program, variant)
            if found is not None:
                sink.add(found)
                break
        else:
            for number in _broken(program):
                sink.error(
                    START_BREAKS,
                    invariants[number] if number < len(invariants) else NOWHERE,
                    f"the scenario {program.scenario!r} begins with the invariant"
                    f" {program.invariants[number].name!r} violated",
                    "correct the values of the scenario, the set-up, or the invariant",
                )


def _broken(program: Program) -> list[int]:
    """Return the invariants that do not hold at the first decision.

    An invariant that cannot be evaluated there is left for play to report.
    """
    code = program.code(FULL)
    with suppress(RulesError):
        code.begin(slots := code.blank(0), [], [])
        return code.invariants(slots)
    return []


def _begun(program: Program, variant: str) -> Diagnostic | None:
    """Return the error at the beginning of a game, or None."""
    try:
        code = program.code(variant)
        code.begin(code.blank(0), *([] if variant == FAST else [[], []]))
    except GameError as error:  # its code cannot be compiled
        return error.diagnostics[0]
    except RulesError as error:
        rules_error = as_rules_error(program, error)
        message = (
            f"the scenario {program.scenario!r} does not reach its first decision: {error.message}"
        )
        return Diagnostic(
            START_FAILS,
            message,
            span_of(rules_error.where),
            "what runs before the first decision must succeed with any dice",
        )
    except RecursionError as error:
        return _endless(program, as_rules_error(program, error))
    except Exception as error:
        rules_error = as_rules_error(program, error)
        return _defect(
            f"the compiled game fails at its start ({type(error).__name__}: {error})",
            span_of(rules_error.where),
        )
    return None


def _endless(program: Program, error: RulesError) -> Diagnostic:
    """Return the diagnostic for rules in a cycle, at the first rule.

    Its second place is the step that sets the first rule off again.
    """
    steps = [place for place in error.circle if not place.endswith(":1")]
    again = span_of(steps[-1]) if steps else None
    lines = [place.rsplit(":", 2)[1] for place in error.circle]
    message = (
        f"{error.message} (lines {', '.join(lines)})" if len(lines) > SELF_CYCLE else error.message
    )
    return Diagnostic(
        ENDLESS,
        f"the scenario {program.scenario!r} does not reach its first decision: {message}",
        span_of(error.where),
        "a 'whenever' runs as long as its set has members: its steps must remove them from it",
        "this is triggered again and again",
        second=again,
        second_label="this triggers it" if again else "",
    )


def _defect(message: str, place: Span) -> Diagnostic:
    return Diagnostic(
        DEFECT,
        message,
        place,
        "this is a defect of rulekit, not of the game: please report it with the rules of this"
        " place, and meanwhile write them in another way",
    )


def _in_text(program: Program, error: SyntaxError) -> Span:
    """Return the author's place of a line of emitted code that is not valid Python."""
    variant = (error.filename or "").strip("<>").rsplit(" ", 1)[-1]
    lines = program.lines.get(variant, [])
    at = error.lineno or 0
    return span_of(next((place for place in reversed(lines[:at]) if place), "") if at else "")


def _at_work(error: BaseException) -> Span:
    """Return the place of the node that the compiler was working on.

    It belongs to the innermost function that has a variable with a place.
    """
    found = NOWHERE
    step: TracebackType | None = error.__traceback__
    while step is not None:
        spans = [getattr(value, "span", None) for value in step.tb_frame.f_locals.values()]
        found = next((span for span in spans if isinstance(span, Span) and span.line), found)
        step = step.tb_next
    return found


def span_of(place: str) -> Span:
    """Parse a place that is written `file:line:column`."""
    file, _, rest = place.rpartition(":")
    name, _, line = file.rpartition(":")
    return (
        Span(name, int(line), int(rest), int(line), int(rest) + 1)
        if line.isdigit() and rest.isdigit()
        else NOWHERE
    )
