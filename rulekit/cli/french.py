"""Takes the parser of a command, makes it speak French: its help and what it says of a wrong line."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from rulekit.base.files import printable

_ABOUT = {
    "play": "Joue une partie dans le terminal, pour n'importe quel jeu. Tapez `aide` à l'invite. Les choix se lisent aussi d'un tube :\n"
            "un par ligne, `#` commence un commentaire ; un choix interdit finit avec le code 1. Si tous les joueurs sont automatiques,\n"
            "la partie est racontée en entier, avec son résultat.",
    "simulate": "Joue beaucoup de parties ; donne les résultats, les longueurs et les niveaux de victoire.",
    "replay": "Rejoue une partie enregistrée, ou la vérifie.",
    "explain": "Donne le calcul derrière un événement d'une partie enregistrée.",
    "map": "Dessine la carte d'un jeu comme la table la montre : avec --pieces au début du scénario, avec --load où en est une partie\n"
           "enregistrée. N'est dessiné que ce que chacun peut savoir, ou avec --as ce qu'un camp peut savoir.",
    "perft": "Compte les positions de l'arbre des décisions.",
    "compile": "Compile un jeu et montre ce qui en sort.",
    "rulings": "Liste les questions que le livre de règles laisse ouvertes, les réponses, et celle qui vaut.",
    "test": "Joue les situations des jeux.",
    "fmt": "Écrit les fichiers de règles dans leur forme unique : des fichiers, ou des dossiers de jeux.",
}
_HELP = {
    "show this help message and exit": "montrer cette aide et finir",
    "folder of a game, or the name of one that is installed": "dossier d'un jeu, ou nom d'un jeu installé",
    "corrections of assumed values; may be repeated": "corrections de valeurs supposées ; répétable",
    "the scenario (without it: the game's default)": "le scénario (sinon : celui du jeu)",
    "the seed of all dice and draws (without it: a new one)": "la graine des dés et des tirages (sinon : une nouvelle)",
    "the seed of all dice and draws (without it: 0)": "la graine des dés et des tirages (sinon : 0)",
    "a named set of rulings": "un ensemble nommé de décisions",
    "one ruling; may be repeated": "une décision ; répétable",
    "who plays a side: human, random or greedy; a bare WHO is for all sides; may be repeated":
        "qui joue un camp : human, random ou greedy ; un nom seul vaut pour tous ; répétable",
    "where to write (without it: standard output)": "où écrire (sinon : la sortie standard)",
    "with the pieces, as the scenario begins": "avec les pions, comme le scénario commence",
    "with the pieces, as a saved game stands": "avec les pions, où en est une partie enregistrée",
    "only the first N choices of the saved game": "seulement les N premiers choix de la partie enregistrée",
    "as a side sees it (observer: as everybody may)": "comme un camp la voit (observer : comme chacun peut)",
    "light or dark": "clair (light) ou sombre (dark)",
    "write the game to a new file as it is played; to go on in a file, name it for --load too":
        "écrire la partie dans un nouveau fichier au fur et à mesure ; pour continuer dans un fichier, le nommer aussi pour --load",
    "go on from a saved game, with its scenario, seed, rulings and seats":
        "reprendre une partie enregistrée, avec son scénario, sa graine, ses décisions et ses joueurs",
    "when the input ends, the random seat goes on": "à la fin de l'entrée, le joueur aléatoire continue",
    "take back anything, dice and other players' choices too": "tout peut être repris, même les dés et les choix des autres",
    "ask in every window; without it a person who plays alone is not asked where he can only pass":
        "demander à chaque fenêtre ; sinon qui joue seul n'est pas interrogé là où il ne peut que passer",
    "do not print the position before each prompt": "ne pas montrer la position avant chaque question",
    "language of the texts (en)": "langue des textes (en)",
    "print one JSON object with stable keys": "donner un objet JSON aux clés stables",
    "only those in which the word occurs": "seulement celles où se trouve le mot",
    "the saved game": "la partie enregistrée",
    "folder of the game, if it is not installed under its name": "dossier du jeu, s'il n'est pas installé sous son nom",
    "compare every event with the record; taken-back choices too": "comparer chaque événement à l'enregistrement ; les choix repris aussi",
    "only the first N choices": "seulement les N premiers choix",
    "how many (100)": "combien (100)",
    "how many processes (auto: one for each core)": "combien de processus (auto : un par cœur)",
    "also count events, options, cards and modifiers that applied (slower)":
        "compter aussi événements, choix, cartes et modificateurs appliqués (plus lent)",
    "count these in every Nth game only (1)": "ne les compter que dans une partie sur N (1)",
    "record all events and test the invariants after every choice (slower)":
        "noter tous les événements et vérifier les invariants après chaque choix (plus lent)",
    "write one JSON object with stable keys to a file; -: print it instead of the table":
        "écrire un objet JSON aux clés stables dans un fichier ; - : le donner au lieu du tableau",
    "a rules file, a folder of a game, or `-` for standard input": "un fichier de règles, le dossier d'un jeu, ou `-` pour l'entrée",
    "change nothing; exit code 1 if a file would change": "ne rien changer ; code 1 si un fichier changerait",
    "how deep": "jusqu'à quelle profondeur",
}
_ERRORS = (
    (r"unrecognized arguments: (.*)", r"arguments inconnus : \1"),
    (r"the following arguments are required: (.*)", r"il manque : \1"),
    (r"argument (.*): expected one argument", r"\1 veut une valeur"),
    (r"argument (.*): expected at least one argument", r"\1 veut au moins une valeur"),
    (r"argument (.*): invalid int value: (.*)", r"\1 veut un nombre, pas \2"),
    (r"argument (.*): invalid choice: (\S+) \(choose from (.*)\)", r"\1 : \2 n'est pas possible ; il y a \3"),
    (r"argument (.*): a seed is a whole number below 2\*\*128", r"\1 veut un nombre entier au-dessous de 2**128"),
    (r"ambiguous option: (.*) could match (.*)", r"\1 peut désigner \2"),
    (r"argument (.*): ignored explicit argument (.*)", r"\1 ne prend pas de valeur (\2)"),
)


class FrenchParser(argparse.ArgumentParser):
    """A parser of one command, in French."""

    def format_help(self) -> str:
        """The help; a text without a translation stays in English."""
        command = self.prog.rpartition(" ")[2]
        self.description = _ABOUT.get(command, self.description)
        self._positionals.title, self._optionals.title = "arguments", "options"
        for action in self._actions:
            if action.help:
                action.help = _HELP.get(action.help, action.help)
        return super().format_help().replace("usage: ", "usage : ", 1)

    def format_usage(self) -> str:
        """The usage."""
        return super().format_usage().replace("usage: ", "usage : ", 1)

    def error(self, message: str) -> NoReturn:
        """Says what is wrong with the line and ends with 2."""
        for pattern, french in _ERRORS:
            message = re.sub(f"^{pattern}$", french, message)
        self.exit(2, f"{self.format_usage()}{self.prog} : erreur : {printable(message)}\n")
