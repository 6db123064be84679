"""Takes the arguments of `python -m rulekit`, makes an exit code."""

from __future__ import annotations

import sys

from rulekit.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
