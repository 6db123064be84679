"""The languages of the frontend's own texts: which there are, and where their catalogues are.

Every command needs them at its start. They do without `pathlib`, which takes long to import.
"""

from __future__ import annotations

import os

LOCALE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "locale")
HOME = "en"  # the language of the texts in the source
LANGUAGES = (HOME, *sorted(entry.name for entry in os.scandir(LOCALE) if entry.is_dir()))
