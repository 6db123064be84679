"""Takes a language, makes what `help` prints at the prompt."""

from __future__ import annotations

_EN = """\
A number or a key takes an option; a key may be cut short as long as it is clear. A whole move may stand in one line.
  why [OPTION]      why an option is not offered; alone: what is refused here, and why
  total NAME [ARG]  how a total comes about (also permits)
  undo, redo        take back your last choice; make it again
  log [N]           what happened (the last N events)
  map               every place, what it is next to and what stands on it;  zones: the position in short;  options: the options again
  find TEXT         where a piece, a place or a word is
  skip [all] [turn|game]   pass windows of this kind (or all) until something happens, for this turn, for the game; skip off
  save FILE, load FILE     keep the game in a file; go on from one
  help, quit
Where you alone play, a window in which you can only pass is passed for you (`--ask-all`: you are asked)."""
_FR = """\
Un numéro ou une clé prend un choix ; une clé peut être abrégée tant qu'elle reste claire. Un mouvement entier tient en une ligne.
  why [CHOIX]       pourquoi un choix n'est pas proposé ; seul : ce qui est refusé ici, et pourquoi
  total NOM [ARG]   comment se forme un total (une permission aussi)
  undo, redo        reprendre son dernier choix ; le refaire
  log [N]           ce qui s'est passé (les N derniers événements)
  map               chaque lieu, ses voisins et ce qui s'y trouve ;  zones : la position en bref ;  options : les choix
  find TEXTE        où se trouve un pion, un lieu ou un mot
  skip [all] [turn|game]   passer les fenêtres de cette sorte (ou toutes) jusqu'au prochain fait, ce tour, la partie ; skip off
  save FICHIER, load FICHIER   garder la partie dans un fichier ; la reprendre
  help, quit
Si vous jouez seul, une fenêtre où l'on ne peut que passer est passée pour vous (`--ask-all` : elle est demandée)."""


def helptext(lang: str) -> str:
    """The help in a language, else in English."""
    return {"fr": _FR}.get(lang, _EN)
