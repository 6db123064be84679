"""Runs a command of the command line in this process. Returns its exit code and its output."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from rulekit.cli.main import main


def ran(*words: str, script: str = "") -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "stdin", io.StringIO(script)),
    ):
        code = main(words)
    return code, out.getvalue(), err.getvalue()
