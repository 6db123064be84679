"""Takes a language and a key, makes the frontend's own words: refusals, what it says, how the log tells built-in events. Games have texts
of their own."""

from __future__ import annotations

LANGUAGES = ("en", "fr")  # the order of the words below
HOME = LANGUAGES[0]
_WORDS: dict[str, tuple[str, ...]] = {
    "end_of_moves": ("the game is over", "la partie est terminée"),
    "not_now": (
        "{key} cannot be chosen now: {who} is asked: {prompt}",
        "{key} ne peut être choisi maintenant ; à {who} : {prompt}"),
    "refused": ("{key} is refused: {why}", "{key} est refusé : {why}"),
    "not_possible": ("it is not among the possibilities here", "ce n'est pas possible ici"),
    "not_this_moment": ("it does not belong to this moment", "ce n'est pas le moment"),
    "in_group": ("it is in the group already", "il est déjà dans le groupe"),
    "limit": ("its limit is used up", "la limite est atteinte"),
    "pays": ("it cannot be paid", "le prix ne peut être payé"),
    "with": ("there is nothing for it", "il n'y a rien pour cela"),
    "guard": ("a condition does not hold", "une condition n'est pas remplie"),
    "costs": ("costs {cost}, {left} left", "coûte {cost}, reste {left}"),
    "not_next": ("{to} is not next to {at}", "{to} n'est pas voisin de {at}"),
    "been": ("{to} was passed before", "{to} a déjà été traversé"),
    "offered": ("{key} is offered", "{key} est proposé"),
    "not_offered": ("{text} is not offered here", "{text} n'est pas proposé ici"),
    "nothing_refused": ("nothing is refused here", "rien n'est refusé ici"),
    "onward": ("the walk could not end from there", "le mouvement ne pourrait pas s'achever par là"),
    "no_option": (
        "there is no option {n}: they go from 1 to {last}",
        "il n'y a pas de choix {n} : ils vont de 1 à {last}"),
    "may_mean": ("{text} may mean {found}", "{text} peut désigner {found}"),
    "does_not_apply": ("does not apply", "ne s'applique pas"),
    "overridden": ("overridden", "remplacé"),
    "cancelled": ("cancelled", "annulé"),
    "cancelled_by": ("cancelled by {what}", "annulé par {what}"),
    "yes": ("yes", "oui"),
    "no": ("no", "non"),
    "none": ("none", "aucun"),
    "none_of_them": ("none of them", "aucun d'entre eux"),
    "pass": ("pass", "passer"),
    "stop": ("stop", "s'arrêter"),
    "go": ("go", "en route"),
    "add": ("add", "ajouter"),
    "to": ("to {place}", "vers {place}"),
    "picked": ("picked so far: {what}", "déjà choisis : {what}"),
    "from": ("from {at}", "de {at}"),
    "at": ("now at {at}", "maintenant en {at}"),
    "left": ("{n} left", "reste {n}"),
    "taken_back": ("taken back: {what}", "repris : {what}"),
    "made_again": ("made again: {what}", "refait : {what}"),
    "nothing_found": ("nothing found", "rien trouvé"),
    "saved": ("saved in {file}", "enregistré dans {file}"),
    "loaded": ("loaded {file}, {n} choices", "{file} chargé, {n} choix"),
    "seed": ("the seed was {seed}", "la graine était {seed}"),
    "closed": ("closed: no passage", "fermé : pas de passage"),
    "corner": ("corner: not adjacent across it", "point d'angle : pas d'adjacence au travers"),
    "result": ("result", "résultat"),
    "hand_over": (
        "The screen goes to {who}. The others look away.",
        "L'écran passe à {who}. Les autres détournent les yeux."),
    "press_enter": ("press Enter", "appuyez sur Entrée"),
    "screen_goes": ("the screen goes to {who}", "l'écran passe à {who}"),
    "game_left": ("the game is left", "la partie est interrompue"),
    "totals": ("totals: {names}", "totaux : {names}"),
    "input_ended": (
        "(the input has ended: the random seat goes on)",
        "(fin de l'entrée : le joueur aléatoire continue)"),
    "stands": ("stands at {at}", "se trouve en {at}"),
    "in": ("in {what}", "dans {what}"),
    "neighbours": ("next to {what}", "voisin de {what}"),
    "event.die_rolled": ("{who} rolls {value} ({purpose})", "{who} obtient {value} ({purpose})"),
    "event.die_rolled.nobody": ("The die shows {value} ({purpose})", "Le dé donne {value} ({purpose})"),
    "event.roll_cancelled": ("The roll {value} is cancelled", "Le jet {value} est annulé"),
    "event.drawn": ("{who} draws {what}", "{who} tire {what}"),
    "event.drawn.nobody": ("{what}: drawn to {target}", "{what} : de {source} à {target}"),
    "event.put": ("{who} puts {what} in {target}", "{who} met {what} dans {target}"),
    "event.put.nobody": ("{what}: now in {target}", "{what} : maintenant dans {target}"),
    "event.gathered": ("{what}: now in {target}", "{what} : maintenant dans {target}"),
    "event.gathered.nobody": ("{what}: now in {target}", "{what} : maintenant dans {target}"),
    "event.revealed": ("{what} is revealed", "{what} est révélé"),
}


def word(lang: str, key: str) -> str:
    """The words for a key in a language, else in English; '' if there are none."""
    found = _WORDS.get(key)
    return "" if found is None else found[LANGUAGES.index(lang) if lang in LANGUAGES else 0]
