"""Texts of the explanations of a search (lines, hints, the course of a game) in English and French,
part of `rulekit.common.i18n.catalog`."""

from __future__ import annotations

ADVISED: dict[str, tuple[str, ...]] = {
    "analyse.asked": (
        "{game}, choice {n}: {who} is asked: {prompt}",
        "{game}, choix {n} : à {who} : {prompt}",
    ),
    "analyse.grown": ("{visits} visits of the tree ({how})", "{visits} visites de l'arbre ({how})"),
    "analyse.failed": (
        "{n} of them ended in an error of the rules and count for nothing",
        "{n} d'entre elles finissent par une erreur des règles et ne comptent pas",
    ),
    "analyse.native": ("in the native module", "dans le module natif"),
    "analyse.python": ("in Python", "en Python"),
    "analyse.lead": (
        "lead ({total}), {who}: {lead} now; with each line, what is expected {when}",
        "avance ({total}), {who} : {lead} à présent ; avec chaque ligne, celle qu'on attend {when}",
    ),
    "analyse.stretch": (
        "when this stretch of play is over (seven parts of ten) and after the next one (three)",
        "à la fin de ce moment de jeu (sept parts sur dix) et du suivant (trois)",
    ),
    "analyse.end": ("at the end of the game", "à la fin de la partie"),
    "analyse.by_games": (
        (
            "chance to win: the share of wins of {n} games played on at random from the first"
            " choice, with its 95 % interval"
        ),
        (
            "chance de gagner : la part de victoires de {n} parties continuées au hasard depuis le"
            " premier choix, avec son intervalle à 95 %"
        ),
    ),
    "analyse.by_visits": (
        "chance to win: the share of wins of the visits (a draw is half of one)",
        "chance de gagner : la part de victoires des visites (une partie nulle compte pour moitié)",
    ),
    "analyse.share": ("{share} of the visits ({n})", "{share} des visites ({n})"),
    "analyse.whole_line": (
        (
            "{share} of the visits begin with its first choice ({n}), {all} of these made all"
            " choices that go together"
        ),
        (
            "{share} des visites commencent par son premier choix ({n}), dont {all} ont fait tous"
            " ceux qui vont ensemble"
        ),
    ),
    "analyse.expected": ("lead {lead}", "avance {lead}"),
    "analyse.chance": ("to win {share}", "gagner {share}"),
    "analyse.between": ("({low} .. {high})", "({low} .. {high})"),
    "analyse.only": ("the only choice", "seul choix"),
    "analyse.at": (
        "--at takes the number of a choice: from 1 to {last} in this save",
        "--at veut le numéro d'un choix : de 1 à {last} ici",
    ),
    "analyse.time": (
        "--time takes seconds, such as 2s or 0.5s, {most} at most",
        "--time veut des secondes, comme 2s ou 0.5s, {most} au plus",
    ),
    "analyse.with_whole": ("{name} goes with --whole only", "{name} ne va qu'avec --whole"),
    "analyse.not_whole": ("{name} does not go with --whole", "{name} ne va pas avec --whole"),
    "analyse.differs": (
        "the save does not play again as it was recorded; `rulekit replay --verify` tells where",
        "la sauvegarde ne se rejoue pas telle qu'enregistrée ; `rulekit replay --verify` dit où",
    ),
    "analyse.under_way": (
        (
            "the game is not over, and there are hidden things: looked at as a whole it would tell"
            " them"
        ),
        "la partie n'est pas finie, et il y a des choses cachées : l'analyse entière les dirait",
    ),
    "analyse.progress": (
        "{n} of {all} choices, {rate} a second",
        "{n} choix sur {all}, {rate} par seconde",
    ),
    "analyse.choices": ("choices", "choix"),
    "analyse.whole": (
        "{game}: {n} decisions of {all} choices, {visits} visits each ({how})",
        "{game} : {n} décisions sur {all} choix, {visits} visites chacune ({how})",
    ),
    "analyse.whole_timed": (
        "{game}: {n} decisions of {all} choices, {seconds} s each ({how})",
        "{game} : {n} décisions sur {all} choix, {seconds} s chacune ({how})",
    ),
    "analyse.won": ("{who} won", "{who} a gagné"),
    "analyse.drawn": ("nobody won", "personne n'a gagné"),
    "analyse.open": ("the game is not over", "la partie n'est pas finie"),
    "analyse.course_lead": ("expected lead ({total})", "avance attendue ({total})"),
    "analyse.course_chance": ("expected chance to win", "chance de gagner attendue"),
    "analyse.choice": ("choice", "choix"),
    "analyse.turning": (
        "{n|0: no turning points|1: 1 turning point|*: {n} turning points}",
        "{n|0: aucun tournant|1: 1 tournant|*: {n} tournants}",
    ),
    "analyse.turned": ("choice {n}, {who}: {prompt}", "choix {n}, {who} : {prompt}"),
    "analyse.chosen": ("chosen: {what}", "choisi : {what}"),
    "analyse.better": ("better: {what}", "mieux : {what}"),
    "analyse.worse": (
        "worth {loss} less (a victory is worth 1, a defeat -1; {n} visits each)",
        "vaut {loss} de moins (une victoire vaut 1, une défaite -1 ; {n} visites chacun)",
    ),
    "analyse.and_more": ("and {n} more; --json has all", "et {n} autres ; --json les a tous"),
    "analyse.title": ("{game}: the course of a game", "{game} : le cours d'une partie"),
    "analyse.how": (
        (
            "Made by a tree search: at each decision it looked for the best choice from the seat of"
            " who decided, by what he might know then. A turning point is a decision in which what"
            " was chosen was worth less than the best by at least {least}, and by twice the"
            " standard error of the comparison. The search plays well, not perfectly: a turning"
            " point is a place to look at."
        ),
        (
            "Fait par une recherche dans un arbre : à chaque décision elle a cherché le meilleur"
            " choix à la place de qui décidait, d'après ce qu'il pouvait savoir. Un tournant est"
            " une décision où le choix fait valait moins que le meilleur, d'au moins {least} et de"
            " deux erreurs types de la comparaison. La recherche joue bien, non parfaitement : un"
            " tournant est un endroit à regarder."
        ),
    ),
    "analyse.caption": (
        (
            "Each point is a decision of its side that was not forced, with the best choice there;"
            " the numbered rings are the turning points of the list, the worst first."
        ),
        (
            "Chaque point est une décision non forcée de son camp, avec le meilleur choix d'alors ;"
            " les anneaux numérotés sont les tournants de la liste, les pires d'abord."
        ),
    ),
    "analyse.course": ("The course of the game", "Le cours de la partie"),
    "analyse.points": ("Turning points", "Tournants"),
    "analyse.result": ("result", "résultat"),
    "analyse.decisions": ("decisions", "décisions"),
    "analyse.each": ("visits each", "visites chacune"),
    "analyse.who": ("side", "camp"),
    "analyse.asked_what": ("what was asked", "la question"),
    "analyse.was": ("what was chosen", "choisi"),
    "analyse.were": ("what was better", "mieux"),
    "analyse.loss": ("loss", "perte"),
    "analyse.lead_was": ("lead then", "avance alors"),
    "analyse.lead_were": ("lead missed", "avance manquée"),
    "analyse.visits": ("visits", "visites"),
    "hint.then": ("then {what}", "puis {what}"),
    "hint.none": ("the search does not know either", "la recherche ne sait pas non plus"),
}
