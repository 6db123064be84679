"""The names of the icons that every frontend draws. A game may add others (`art` in
drawing.yaml).
"""

from __future__ import annotations

GLYPHS = ("ship", "shield", "javelins", "bow", "horse", "leader", "unknown")
EMBLEMS = ("owl", "lambda", "star", "cross", "ring")
