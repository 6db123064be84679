"""The text of the command `help`."""

from __future__ import annotations

_EN = """\
A number or a key takes an option; a key may be cut short as long as it is clear. If it means several, they are shown.
A whole move may stand in one line: an option, its group in any order (or all), and the way. It is made as a whole or not at all.
  march A1 A2 B3 to P to Q   A1, A2 and B3 march from where they are to P, and on to Q, and stop there; where another may
                             play something the line waits, and goes on when he has passed
  activate P A1 A2 to Q      choices before the group stand in the line, too; one that nothing else leads to may be left out
  A1 A2 B3, 1 2 5, all       where a group is picked: these, these of the list, all; `A1 A2 done`, `A1 A2 to P` go on at once
  options [TEXT]    the options again, or those with the text in them;  more: the next page
  find TEXT         pieces, places, cards: where they are, how they are, what they can do
  board [TEXT]      the position in short, or the places with the text in them;  map: every place with its neighbours
  log [N|more|all]  what happened: the last lines, so many, the page before, all
  why [OPTION]      why an option, or a whole line, is not possible; alone: what is refused here, and why
  odds [OPTION]     the results of the next roll, with their chances and what they do: after an option, or after each
  paths [PIECES]    where these pieces could go together, by which way and at what cost
  hint              what the search would choose here, by what you may know
  since             what happened since your last decision;  replay: go through it step by step (Enter: the next step),
                    replay N: from choice N on, replay next|back, replay board: the position there, replay end
  total NAME [ARG]  how a total comes about (also permits)
  undo, redo        take back what you typed last, a whole line too; make it again
  pass all          pass windows until you are asked something else, or somebody plays something in a window
  skip [all] [turn|game]   pass windows of this kind (or all) until something happens, for this turn, for the game; skip off
  auto pass on|off  where you alone play: is a window in which you can only pass, or a list of one option, taken for you?
                    (`--ask-all`: off)
  save FILE, load FILE     keep the game in a file; go on from one
  help, quit"""
_FR = """\
Un numéro ou une clé prend un choix ; une clé peut être abrégée tant qu'elle reste claire. Si elle en désigne plusieurs, ils sont montrés.
Un mouvement entier tient en une ligne : un choix, son groupe dans un ordre quelconque (ou tous), et le chemin. Il se fait en entier ou pas.
  march A1 A2 B3 vers P vers Q   A1, A2 et B3 partent de là où ils sont pour P, puis Q, et s'y arrêtent ; là où un autre peut
                             jouer quelque chose, la ligne attend, et continue s'il passe
  activate P A1 A2 vers Q    les choix qui précèdent le groupe aussi ; celui qui seul y mène peut manquer
  A1 A2 B3, 1 2 5, tous      quand on forme un groupe : ceux-là, ceux de la liste, tous ; `A1 A2 terminé`, `A1 A2 vers P` : en route
  options [TEXTE]   les choix, ou ceux qui contiennent le texte (choix) ;  more (suite) : la page suivante
  find TEXTE        pions, lieux, cartes : où ils sont, dans quel état, ce qu'ils peuvent faire (chercher)
  board [TEXTE]     la position en bref, ou les lieux qui contiennent le texte (plateau) ;  map (carte) : chaque lieu et ses voisins
  log [N|more|all]  ce qui s'est passé : les dernières lignes, tant de lignes, la page d'avant (suite), tout (journal)
  why [CHOIX]       pourquoi un choix, ou une ligne, est impossible ; seul : ce qui est refusé ici, et pourquoi (pourquoi)
  odds [CHOIX]      les résultats du prochain jet, leurs chances et leurs effets : après un choix, ou après chacun (chances)
  paths [PIONS]     où ces pions pourraient aller ensemble, par quel chemin et à quel prix (chemins)
  hint              ce que la recherche choisirait ici, d'après ce que vous pouvez savoir (conseil)
  since             ce qui s'est passé depuis votre dernière décision (depuis) ;  replay (revoir) : le revoir pas à pas (Entrée :
                    l'étape suivante), revoir N : dès le choix N, revoir suivant|précédent, revoir plateau : la position, revoir fin
  total NOM [ARG]   comment se forme un total (une permission aussi)
  undo, redo        reprendre ce qu'on a tapé, une ligne entière aussi ; le refaire (annuler, refaire)
  pass all          passer les fenêtres jusqu'à une autre question, ou jusqu'à ce que quelqu'un y joue quelque chose (passer tout)
  skip [all] [turn|game]   passer les fenêtres de cette sorte (ou toutes) jusqu'au prochain fait, ce tour, la partie ; skip off (sauter)
  auto pass on|off  si vous jouez seul : une fenêtre où l'on ne peut que passer, une liste d'un seul choix, sont-elles faites pour
                    vous ? (`--ask-all` : non)
  save FICHIER, load FICHIER   garder la partie dans un fichier ; la reprendre (enregistrer, charger)
  help, quit        cette aide (aide) ; partir (quitter)"""


def helptext(lang: str) -> str:
    """Return the help in a language, by default in English."""
    return {"fr": _FR}.get(lang, _EN)
