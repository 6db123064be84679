"""Texts of the adapters for analysts (OpenSpiel, PettingZoo, the graph of the map) in English and
French, part of `rulekit.common.i18n.catalog`."""

from __future__ import annotations

ANALYSED: dict[str, tuple[str, ...]] = {
    "doors.no_library": (
        "this needs the library {name}: pip install 'rulekit[{extra}]'",
        "ceci demande la bibliothèque {name} : pip install 'rulekit[{extra}]'",
    ),
    "doors.no_game": ("name the game: rulekit(game=...)", "nommez le jeu : rulekit(game=...)"),
    "doors.pairs": (
        "{text} is not of the form name:value;name:value",
        "{text} n'est pas de la forme nom:valeur;nom:valeur",
    ),
    "doors.levels": (
        "a level counts from 0 to 1, and is one of {known}, not {level} with {weight}",
        "un niveau compte de 0 à 1, et est un de {known}, non {level} avec {weight}",
    ),
    "doors.observer": (
        "an observer has no parameters; here are {params}",
        "un observateur n'a pas de paramètres ; voici {params}",
    ),
    "doors.all_players": (
        "what all players know together is told to nobody",
        "ce que tous savent ensemble n'est dit à personne",
    ),
    "doors.render": (
        "there is no render mode {mode}; there are {known}",
        "il n'y a pas de mode {mode} ; il y a {known}",
    ),
    "graph.none": (
        "{game} has no kind of borders and no fixed set of places {name}; it has {known}",
        "{game} n'a ni sorte de bordures ni ensemble fixe de lieux {name} ; il y a {known}",
    ),
    "graph.which": (
        (
            "say which kind of borders, or which fixed set of places, joins the places of {game}:"
            " {known}"
        ),
        (
            "dites quelle sorte de bordures, ou quel ensemble fixe de lieux, joint les lieux de"
            " {game} : {known}"
        ),
    ),
}
