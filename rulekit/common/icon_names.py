"""Takes nothing, makes the names of the pictures that every frontend draws; a game may bring others
(`art` in drawing.yaml)."""

from __future__ import annotations

GLYPHS = ("ship", "shield", "javelins", "bow", "horse", "leader", "unknown")
EMBLEMS = ("owl", "lambda", "star", "cross", "ring")
