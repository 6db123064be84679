"""Texts of automatic seats and of comparisons of rules in English and French, part of
`rulekit.common.i18n.catalog`."""

from __future__ import annotations

SEATED: dict[str, tuple[str, ...]] = {
    "seat.human": ("human", "humain"),
    "seat.random": ("random", "aléatoire"),
    "seat.greedy": ("greedy", "glouton"),
    "seat.charts": ("charts", "tableaux"),
    "seat.charts.long": (
        "charts: what the charts of the game say",
        "tableaux : ce que disent les tableaux du jeu",
    ),
    "no_charts": (
        (
            "the charts of {game} lead no side: `charts` in game.yaml names the options that they"
            " take (not there: {names})"
        ),
        (
            "les tableaux de {game} ne mènent aucun camp : `charts`, game.yaml, nomme les options"
            " qu'ils prennent (absentes : {names})"
        ),
    ),
    "seat.search": ("search", "recherche"),
    "seat.search:easy": ("search, easy", "recherche facile"),
    "seat.search:hard": ("search, thorough", "recherche approfondie"),
    "seat.seconds": ("{name} ({n} s for a choice)", "{name} ({n} s par choix)"),
    "seat.visits": ("{name} ({n} visits for a choice)", "{name} ({n} visites par choix)"),
    "seat.search.long": (
        "search: looks ahead, half a second for a choice",
        "recherche : voit venir, une demi-seconde par choix",
    ),
    "seat.search:easy.long": (
        "search, easy: looks ahead a little",
        "recherche facile : voit venir un peu",
    ),
    "seat.search:hard.long": (
        "search, thorough: two seconds for a choice",
        "recherche approfondie : deux secondes par choix",
    ),
    "seat.random.long": ("random: any choice", "aléatoire : n'importe quel choix"),
    "seat.greedy.long": (
        "greedy: what brings most at once",
        "glouton : ce qui rapporte le plus aussitôt",
    ),
    "interrupted": (
        "this game is saved nowhere: `save FILE` saves it; `quit`, or Ctrl-C once more, leaves it",
        (
            "cette partie n'est enregistrée nulle part : `enregistrer FICHIER` l'enregistre ;"
            " `quitter` ou Ctrl-C l'abandonne"
        ),
    ),
    "compare.start": (
        "the game cannot begin under these rules: {now}",
        "la partie ne peut pas commencer sous ces règles : {now}",
    ),
    "compare.asked": (
        "choice {n}: another decision: {before}; now {now}",
        "choix {n} : une autre décision : {before} ; maintenant {now}",
    ),
    "compare.prompt": (
        "choice {n}: another prompt: {before}; now {now}",
        "choix {n} : une autre question : {before} ; maintenant {now}",
    ),
    "compare.gone": (
        "choice {n} ({player}): {what} is not offered any more: {now} (in all: {times})",
        "choix {n} ({player}) : {what} n'est plus proposé : {now} (en tout : {times})",
    ),
    "compare.new": (
        "choice {n} ({player}): {what} is offered now (in all: {times})",
        "choix {n} ({player}) : {what} est proposé maintenant (en tout : {times})",
    ),
    "compare.order": (
        "choice {n} ({player}): the options stand in another order",
        "choix {n} ({player}) : les choix sont dans un autre ordre",
    ),
    "compare.label": (
        "choice {n} ({player}): {what} is called {now}, not {before} (in all: {times})",
        "choix {n} ({player}) : {what} s'appelle {now}, non {before} (en tout : {times})",
    ),
    "compare.price": (
        "choice {n} ({player}): {what} costs {now}, not {before} (in all: {times})",
        "choix {n} ({player}) : {what} coûte {now}, non {before} (en tout : {times})",
    ),
    "compare.reason": (
        (
            "choice {n} ({player}): another reason why options are not offered: {before}; now {now}"
            " (in all: {times})"
        ),
        (
            "choix {n} ({player}) : une autre raison de ne pas proposer : {before} ; maintenant"
            " {now} (en tout : {times})"
        ),
    ),
    "compare.refused": (
        "choice {n} ({player}): {what} was chosen and cannot be any more: {now}",
        "choix {n} ({player}) : {what} fut choisi et ne peut plus l'être : {now}",
    ),
    "compare.events": (
        "choice {n} ({player}): something else happens: {before}; now {now}",
        "choix {n} ({player}) : autre chose arrive : {before} ; maintenant {now}",
    ),
    "compare.shown": (
        "choice {n} ({player}): the position shows {what} as {now}, not {before} (in all: {times})",
        (
            "choix {n} ({player}) : la position montre {what} comme {now}, non {before} (en tout :"
            " {times})"
        ),
    ),
    "compare.result": ("the result is {now}, not {before}", "le résultat est {now}, non {before}"),
    "compare.names": (
        "{before} is called {now} (names that are others, in all: {times})",
        "{before} s'appelle {now} (noms qui sont autres, en tout : {times})",
    ),
    "compare.none": (
        (
            "{n} choices played under both rules: nothing differs, neither in what was chosen nor"
            " in what was offered"
        ),
        (
            "{n} choix joués sous les deux règles : rien ne diffère, ni dans ce qui fut choisi ni"
            " dans ce qui fut proposé"
        ),
    ),
    "compare.to": ("{n} choices played under both rules", "{n} choix joués sous les deux règles"),
    "compare.alone": (
        (
            "of what was offered only the names of options were compared: `--before PATH` names the"
            " rules of the save"
        ),
        (
            "de ce qui fut proposé seuls les noms furent comparés : `--before PATH` nomme les"
            " règles de la partie"
        ),
    ),
    "compare.offered": (
        "choice {n}: other options are offered than when it was saved ({before} then, {now} now)",
        (
            "choix {n} : d'autres choix sont proposés que lors de l'enregistrement ({before} alors,"
            " {now} maintenant)"
        ),
    ),
    "hurry": (
        "Ctrl-C while the machine thinks: it chooses at once",
        "Ctrl-C pendant que la machine réfléchit : elle choisit aussitôt",
    ),
    "no_search_total": (
        (
            "game.yaml says that a searching seat plays for {name}; {game} has no such total of one"
            " player"
        ),
        (
            "game.yaml dit qu'un joueur qui cherche joue pour {name} ; {game} n'a pas un tel total"
            " d'un joueur"
        ),
    ),
    "no_search_stretch": (
        (
            "game.yaml says that a searching seat compares at the beginning of {name}; {game} has"
            " no such phase in which somebody is asked"
        ),
        (
            "game.yaml dit qu'un joueur qui cherche compare au début de {name} ; {game} n'a pas une"
            " telle phase où l'on demande un choix"
        ),
    ),
    "native.no_memory": (
        "there is not memory enough for a search",
        "il n'y a pas assez de mémoire pour une recherche",
    ),
}
