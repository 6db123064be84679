"""Run the command line by `python -m rulekit`."""

from __future__ import annotations

import sys

from rulekit.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
