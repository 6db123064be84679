"""The words of seats that play by themselves, as `rulekit.play.words` has them: English, French."""

from __future__ import annotations

SEATED: dict[str, tuple[str, ...]] = {
    "seat.human": ("human", "humain"),
    "seat.random": ("random", "aléatoire"),
    "seat.greedy": ("greedy", "glouton"),
    "seat.charts": ("charts", "tableaux"),
    "seat.charts.long": ("charts: what the charts of the game say", "tableaux : ce que disent les tableaux du jeu"),
    "no_charts": (
        "the charts of {game} lead no side: `charts` in game.yaml names the options that they take (not there: {names})",
        "les tableaux de {game} ne mènent aucun camp : `charts`, game.yaml, nomme les options qu'ils prennent (absentes : {names})"),
    "seat.search": ("search", "recherche"),
    "seat.search:easy": ("search, easy", "recherche facile"),
    "seat.search:hard": ("search, thorough", "recherche approfondie"),
    "seat.seconds": ("{name} ({n} s for a choice)", "{name} ({n} s par choix)"),
    "seat.visits": ("{name} ({n} visits for a choice)", "{name} ({n} visites par choix)"),
    "seat.search.long": ("search: looks ahead, half a second for a choice", "recherche : voit venir, une demi-seconde par choix"),
    "seat.search:easy.long": ("search, easy: looks ahead a little", "recherche facile : voit venir un peu"),
    "seat.search:hard.long": ("search, thorough: two seconds for a choice", "recherche approfondie : deux secondes par choix"),
    "seat.random.long": ("random: any choice", "aléatoire : n'importe quel choix"),
    "seat.greedy.long": ("greedy: what brings most at once", "glouton : ce qui rapporte le plus aussitôt"),
    "interrupted": ("this game is saved nowhere: `save FILE` saves it; `quit`, or Ctrl-C once more, leaves it",
                    "cette partie n'est enregistrée nulle part : `enregistrer FICHIER` l'enregistre ; `quitter` ou Ctrl-C l'abandonne"),
    "hurry": ("Ctrl-C while the machine thinks: it chooses at once", "Ctrl-C pendant que la machine réfléchit : elle choisit aussitôt"),
    "no_search_total": (
        "game.yaml says that a searching seat plays for {name}; {game} has no such total of one player",
        "game.yaml dit qu'un joueur qui cherche joue pour {name} ; {game} n'a pas un tel total d'un joueur"),
    "no_search_stretch": (
        "game.yaml says that a searching seat compares at the beginning of {name}; {game} has no such phase in which somebody is asked",
        "game.yaml dit qu'un joueur qui cherche compare au début de {name} ; {game} n'a pas une telle phase où l'on demande un choix"),
    "native.no_memory": ("there is not memory enough for a search", "il n'y a pas assez de mémoire pour une recherche"),
}
