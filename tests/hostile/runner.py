"""Runs hostile jobs from its input, one line of JSON each: check or play a game folder, or run a
command with arguments.

Each job has a process of its own with limits on memory and time. Its result is a line of JSON.
Imports are done once, so a case costs little more than itself.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import resource
import signal
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

from rulekit.cli.main import COMMANDS, main
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.render import render
from rulekit.common.errors import RulekitError
from rulekit.compiler.check.check import check
from rulekit.compiler.source.folder import read_game

MEMORY = 200 << 20  # limit of the memory that a case may allocate
SECONDS = 2  # of processor time
WARM = str(
    Path(__file__).resolve().parents[2] / "examples" / "tic_tac_toe"
)  # checked before the first case, so that its imports are loaded


def virtual() -> int:
    """Return the current address space of this process."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def author(folder: Path) -> dict[str, Any]:
    """Read and check a game."""
    sink = Sink()
    source = read_game(folder, sink)
    model = check(source, sink) if source is not None else None
    files = source.files if source is not None else {}
    return {
        "codes": [d.code for d in sink.in_order()],
        "model": model is not None,
        "errors": len(sink.errors),
        "text": "\n".join(render(d, files) for d in sink.in_order()[:300]),
    }


def play(folder: Path) -> dict[str, Any]:
    """Load a game and make the first choice a few hundred times, or until it ends."""
    import rulekit

    state = rulekit.load(folder).new(seed=1)
    texts: list[str] = []
    for _ in range(300):
        decision = state.decision
        if decision is None:
            break
        texts += [decision.prompt, *(str(option) for option in decision.options[:20])]
        state.apply(decision.options[0])
    texts += [
        state.events.text(event) if hasattr(state.events, "text") else str(event)
        for event in state.events[:100]
    ]
    return {"codes": [], "over": state.result is not None, "text": "\n".join(texts)}


def command(words: list[str]) -> dict[str, Any]:
    """Return the exit code and output of a command with empty input."""
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        code = main(words)
    return {"exit": code, "text": out.getvalue()}


def limited(job: dict[str, Any]) -> dict[str, Any]:
    """Run a job under limits and return its result."""
    most = virtual() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 2, SECONDS + 2))
    signal.alarm(20)  # a blocked process uses no processor time
    begun = time.process_time()
    try:
        done = command(job["command"]) if "command" in job else None
        made = done or (play if job["play"] else author)(Path(job["folder"]))
    except RulekitError as error:
        made = {
            "codes": [d.code for d in getattr(error, "diagnostics", [])],
            "raised": type(error).__name__,
            "text": str(error),
        }
    except MemoryError:
        made = {"crash": "out of memory"}
    except BaseException:
        made = {"crash": traceback.format_exc()[-3000:]}
    made["seconds"] = time.process_time() - begun
    return made


def serve() -> None:
    jobs = sys.stdin
    for module, _ in COMMANDS.values():
        import_module(module)
    command(["check", WARM])
    gc.collect()
    # the garbage collector of a case does not scan (and copy) the objects that exist already
    gc.freeze()
    for line in jobs:
        out, into = os.pipe()
        child = os.fork()
        if not child:
            os.close(out)
            with os.fdopen(into, "w") as stream:
                stream.write(json.dumps(limited(json.loads(line))))
                stream.flush()
            os._exit(0)
        os.close(into)
        with os.fdopen(out) as stream:
            told = stream.read()
        _, status = os.waitpid(child, 0)
        print(
            (
                told
                if told and not status
                else json.dumps({"crash": f"ended with {os.waitstatus_to_exitcode(status)}"})
            ),
            flush=True,
        )


if __name__ == "__main__":
    serve()
