"""Texts of the command line in English and French, part of `rulekit.common.i18n.catalog`."""

from __future__ import annotations

USAGE: dict[str, tuple[str, ...]] = {
    "line.no_command": ("there is no command {name}", "il n'y a pas de commande {name}"),
    "line.no_game": (
        "there is no game {name}: neither a folder with a game.yaml nor a game known by this name",
        "il n'y a pas de jeu {name} : ni un dossier avec un game.yaml, ni un jeu connu sous ce nom",
    ),
    "line.from_one": ("{what} wants a number from 1 on", "{what} veut un nombre à partir de 1"),
    "line.jobs": (
        "--jobs wants a number from 1 on, or auto",
        "--jobs veut un nombre à partir de 1, ou auto",
    ),
    "line.size": (
        "--limit wants a size as 300MB or 2GB, not {text}",
        "--limit veut une taille comme 300MB ou 2GB, pas {text}",
    ),
    "cache.none": (
        "nothing is kept: RULEKIT_CACHE is empty",
        "rien n'est gardé : RULEKIT_CACHE est vide",
    ),
    "cache.head": ("{folder}: {size} of at most {most}", "{folder} : {size}, au plus {most}"),
    "cache.game": ("game", "jeu"),
    "cache.size": ("size", "taille"),
    "cache.files": ("files", "fichiers"),
    "cache.used": ("last used", "dernier emploi"),
    "cache.held": ("in use", "en service"),
    "cache.other": ("(of other versions)", "(d'autres versions)"),
    "cache.cleared": (
        "{n|1: 1 entry|*: {n} entries} of {size} removed",
        "{n|1: 1 entrée|*: {n} entrées} de {size} supprimées",
    ),
    "cache.kept": (
        "{n|1: 1 entry|*: {n} entries} in use by running programs stayed",
        "{n|1: 1 entrée|*: {n} entrées} dont se servent des programmes en cours sont restées",
    ),
    "cache.not_there": ("nothing is kept of {game}", "rien n'est gardé de {game}"),
    "line.no_person": (
        "a person cannot sit in a simulation",
        "une personne ne peut pas jouer dans une simulation",
    ),
    "line.nothing_there": ("there is no file {file}", "il n'y a pas de fichier {file}"),
    "line.situations": (
        "--situations FILE... goes with --game PATH, and with no other path",
        "--situations FILE... va avec --game PATH, et avec aucun autre chemin",
    ),
    "line.name_game": (
        "name a game (or --situations FILE... --game PATH)",
        "nommez un jeu (ou --situations FILE... --game PATH)",
    ),
    "line.not_drawn": (
        "{game} has no places with borders, so there is nothing to draw",
        "{game} n'a pas de lieux avec des frontières : il n'y a rien à dessiner",
    ),
    "line.not_shown": (
        "nothing in the compiled game bears the name {name}",
        "rien dans le jeu compilé ne porte le nom {name}",
    ),
    "line.no_overlay": (
        "there is no overlay file {file}",
        "il n'y a pas de fichier de corrections {file}",
    ),
    "line.no_file": ("the name of a file is empty", "le nom d'un fichier est vide"),
    "line.pairs": ("{what} wants NAME=VALUE, not {text}", "{what} veut NOM=VALEUR, pas {text}"),
    "line.stopped": ("stopped", "arrêté"),
    "line.no_situations": (
        "{game}: no situation was run: there is none in situations/*.yaml",
        "{game} : aucune situation n'a été jouée : il n'y en a pas dans situations/*.yaml",
    ),
    "line.no_inventory": (
        (
            "{game}: no id was counted: there is no coverage.yaml beside game.yaml (`ids: {ID:"
            " {ref: ...}}`)"
        ),
        (
            "{game} : aucun numéro n'a été compté : pas de coverage.yaml à côté de game.yaml (`ids:"
            " {ID: {ref: ...}}`)"
        ),
    ),
    "line.none_in_files": (
        "no situation was run: the files hold none",
        "aucune situation n'a été jouée : les fichiers n'en ont pas",
    ),
    "line.none_with_word": (
        "no situation was run: none has {word} in its name, reference or id",
        (
            "aucune situation n'a été jouée : aucune n'a {word} dans son nom, ses références ou ses"
            " numéros"
        ),
    ),
    "line.none_but_seats": (
        "no situation was run: all of them ask seats that search (--seats asks them)",
        (
            "aucune situation n'a été jouée : toutes interrogent des joueurs qui cherchent (--seats"
            " les interroge)"
        ),
    ),
    "line.no_seats": (
        "--seats asked no seat: no situation that was run asks one (`seat ...` below `then`)",
        (
            "--seats n'a interrogé aucun joueur : aucune situation jouée n'en interroge (`seat ...`"
            " sous `then`)"
        ),
    ),
    "line.not_rules": (
        "{file} is no file of rules: their names end in .rules",
        "{file} n'est pas un fichier de règles : leurs noms finissent par .rules",
    ),
    "line.is_file": (
        "{name} is a file, not a folder of a game: name the folder {folder}",
        "{name} est un fichier, pas un dossier de jeu : nommez le dossier {folder}",
    ),
    "line.no_rules_files": (
        "{game}: nothing was formatted: there is no file of rules",
        "{game} : rien n'a été mis en forme : pas de fichier de règles",
    ),
    "line.empty_rules": (
        "{file}: nothing was formatted: the file is empty",
        "{file} : rien n'a été mis en forme : le fichier est vide",
    ),
    "line.no_ruling": (
        "no ruling has {word} in its name, paragraphs, question or reason",
        "aucune interprétation n'a {word} dans son nom, ses paragraphes, sa question ou sa raison",
    ),
    "line.not_text": (
        "the input is not UTF-8 text (a shell of Windows may write UTF-16: set its encoding)",
        (
            "l'entrée n'est pas un texte en UTF-8 (un terminal de Windows peut écrire en UTF-16 :"
            " réglez son encodage)"
        ),
    ),
    "line.nothing_judged": (
        "nothing was looked at: in the saved game nobody had a choice",
        "rien n'a été examiné : personne n'avait de choix dans la partie",
    ),
    "where.name": ("name", "nom"),
    "where.folder": ("folder", "dossier"),
    "where.game": ("game", "jeu"),
    "where.library": ("library", "bibliothèque"),
    "where.example": ("example", "exemple"),
}
