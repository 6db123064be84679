"""Texts of the frontends in all languages, by key: refusals, messages and the log lines of built-in
events. Games have texts of their own."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import TypeVar

from rulekit.common.diagnostics.diagnostic import guess
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.analysis_texts import ANALYSED
from rulekit.common.i18n.command_texts import USAGE
from rulekit.common.i18n.experiment_texts import STUDIED
from rulekit.common.i18n.message_format import fill
from rulekit.common.i18n.presentation_texts import SEATED
from rulekit.common.i18n.search_texts import ADVISED
from rulekit.common.i18n.server_texts import SERVED

Fault = TypeVar("Fault", bound=RulekitError)

LANGUAGES = ("en", "fr")  # the order of the words below
HOME = LANGUAGES[0]
_WORDS: dict[str, tuple[str, ...]] = {
    **SERVED,
    **ADVISED,
    **ANALYSED,
    **SEATED,
    **STUDIED,
    **USAGE,
    "table.not_asked": ("it is another player's decision", "c'est à un autre joueur de décider"),
    "table.no_hints": ("this table gives no hints", "cette table ne donne pas de conseils"),
    "table.not_played": ("nobody plays {side} from here", "personne ne joue {side} d'ici"),
    "table.busy": (
        "too many questions wait for an answer",
        "trop de questions attendent une réponse",
    ),
    "table.stale": ("{n} choices stand now, not {at}", "{n} choix sont faits à présent, non {at}"),
    "table.not_over": (
        "others' seats are open when the game is over",
        "les autres places s'ouvrent quand la partie est finie",
    ),
    "table.course_later": (
        "the course of a game is told when it is over",
        "le cours d'une partie se dit quand elle est finie",
    ),
    "table.ended": ("it was ended before it began", "arrêté avant d'avoir commencé"),
    "table.other_rules": (
        "the rules of the game are others than when it was begun: {why}",
        "les règles du jeu ne sont plus celles du début de la partie : {why}",
    ),
    "table.no_library": (
        "the table needs the library {name}: pip install 'rulekit[table]'",
        "la table a besoin de la bibliothèque {name} : pip install 'rulekit[table]'",
    ),
    "map.no_library": (
        "a map is drawn with the library {name}: pip install 'rulekit[map]'",
        "une carte se dessine avec la bibliothèque {name} : pip install 'rulekit[map]'",
    ),
    "map.written": ("{file} written", "{file} écrit"),
    "map.to": (
        "--to is for a saved game: --load FILE",
        "--to est pour une partie enregistrée : --load FICHIER",
    ),
    "foretold.lost": ("{what} lost for good", "{what} perdu pour de bon"),
    "foretold.weakened": ("{what} weakened", "{what} affaibli"),
    "foretold.risked": ("{what} at risk", "{what} en danger"),
    "foretold.points_lost": ("points are lost", "des points sont perdus"),
    "foretold.roll": ("a roll", "un jet"),
    "foretold.draw": ("a draw", "un tirage"),
    "foretold.over": ("the game ends", "la partie finit"),
    "foretold.really": (
        "Really? (y, or anything else for no)",
        "Vraiment ? (o ; autre chose : non)",
    ),
    "foretold.not_done": ("nothing was done", "rien n'a été fait"),
    "foretold.no_roll": (
        "no roll comes of it before the next decision",
        "aucun jet n'en découle avant la prochaine décision",
    ),
    "foretold.none_rolls": (
        "no roll comes of any option before the next decision",
        "d'aucun choix ne découle un jet avant la prochaine décision",
    ),
    "foretold.more_options": (
        "{n|1: 1 more option|*: {n} more options}: odds OPTION",
        "{n|1: 1 choix|*: {n} choix} de plus : chances CHOIX",
    ),
    "foretold.more_rolls": ("further rolls follow", "d'autres jets suivent"),
    "foretold.hidden": (
        "the rest hangs on what you may not know",
        "le reste dépend de ce que vous ne pouvez savoir",
    ),
    "foretold.left": ("{n} left", "reste {n}"),
    "foretold.to": ("to", "vers"),
    "foretold.fight": ("a fight at {at}", "un combat : {at}"),
    "foretold.stays_not": ("cannot stay there", "ne peut y rester"),
    "foretold.stays_unsure": ("perhaps cannot stay there", "ne peut peut-être pas y rester"),
    "foretold.between.window": (
        "another player may answer on the way",
        "un autre joueur peut répondre en chemin",
    ),
    "foretold.between.choice": ("a choice comes on the way", "un choix vient en chemin"),
    "foretold.between.die": ("a roll comes on the way", "un jet vient en chemin"),
    "foretold.between.draw": ("a draw comes on the way", "un tirage vient en chemin"),
    "foretold.between.reveal": (
        "something is shown on the way",
        "quelque chose est révélé en chemin",
    ),
    "foretold.between.hidden": (
        "the way hangs on what you may not know",
        "le chemin dépend de ce que vous ne pouvez savoir",
    ),
    "foretold.between.error": ("the rules stop on the way", "les règles s'arrêtent en chemin"),
    "foretold.stop.nowhere": ("there is nowhere to go", "il n'y a nulle part où aller"),
    "foretold.stop.end": ("there is nowhere to go", "il n'y a nulle part où aller"),
    "foretold.stop.group": (
        "something must join the group: paths PIECES",
        "il faut former le groupe : chemins PIONS",
    ),
    "foretold.stop.choice": ("another choice comes first", "un autre choix vient d'abord"),
    "foretold.stop.add": ("{what} cannot go along", "pas avec {what}"),
    "foretold.stop.key": ("{key} is not possible here", "{key} n'est pas possible ici"),
    "foretold.stop.several": (
        "it can begin in several ways: {leads}",
        "cela peut commencer de plusieurs façons : {leads}",
    ),
    "foretold.stop.window": (
        "another player may answer first",
        "un autre joueur peut répondre d'abord",
    ),
    "foretold.stop.die": ("a roll comes first", "un jet vient d'abord"),
    "foretold.stop.draw": ("a draw comes first", "un tirage vient d'abord"),
    "foretold.stop.reveal": ("something is shown first", "quelque chose est révélé d'abord"),
    "foretold.stop.hidden": (
        "it hangs on what you may not know",
        "cela dépend de ce que vous ne pouvez savoir",
    ),
    "foretold.stop.error": ("the rules stop there", "les règles s'arrêtent là"),
    "play.no_editor": (
        "(lines are edited and completed with: pip install 'rulekit[terminal]')",
        "(pour éditer et compléter les lignes : pip install 'rulekit[terminal]')",
    ),
    "steps.nothing": (
        "nothing has happened since your last decision",
        "rien ne s'est passé depuis votre dernière décision",
    ),
    "steps.none": ("nothing has happened yet", "rien ne s'est encore passé"),
    "steps.choice": ("choice {n} of {all}: {who}", "choix {n} sur {all} : {who}"),
    "steps.setup": ("the beginning", "le début"),
    "steps.begins": ("this is the beginning of the game", "c'est le début de la partie"),
    "steps.ends": ("this is the present", "c'est le présent"),
    "steps.what": (
        "{text} is none of: a number, next, back, board, end",
        "{text} n'est pas : un nombre, suivant, précédent, plateau, fin",
    ),
    "steps.how": (
        (
            "(Enter: the next step; `replay back`, `replay N`, `replay board`: the position there,"
            " `replay end`)"
        ),
        (
            "(Entrée : l'étape suivante ; `revoir précédent`, `revoir N`, `revoir plateau` : la"
            " position, `revoir fin`)"
        ),
    ),
    "table.port": (
        "port {port} cannot be had: {why}; --port 0 takes one that is free",
        "le port {port} n'est pas libre : {why} ; --port 0 en prend un qui l'est",
    ),
    "table.is_at": ("the table is at {address}", "la table est ici : {address}"),
    "table.ends": (
        "Ctrl-C ends it; the games are kept.",
        "Ctrl-C la ferme ; les parties sont conservées.",
    ),
    "table.no_game": ("no game {name} is installed here", "aucun jeu {name} n'est installé ici"),
    "table.long": ("this is longer than {n} bytes", "ceci dépasse {n} octets"),
    "table.no_message": ("not a message: {why}", "ce n'est pas un message : {why}"),
    "table.long_plan": ("a plan is at most {n} keys", "un plan a {n} clés au plus"),
    "table.not_wanted": (
        "not what a table is opened with: {why}",
        "ce n'est pas ce qui ouvre une table : {why}",
    ),
    "table.twice": (
        "another process wrote to this table at the same time",
        "un autre processus a écrit dans cette table en même temps",
    ),
    "table.store": (
        "the database of the tables cannot be used: {why}",
        "la base des tables ne peut être utilisée : {why}",
    ),
    "table.no_address": (
        "{address} is no address of a database: {why}",
        "{address} n'est pas l'adresse d'une base : {why}",
    ),
    "table.older": (
        (
            "the database is of version {version}, this program of {known}: make a backup, then"
            " `rulekit serve --upgrade`"
        ),
        (
            "la base est de la version {version}, ce programme de la {known} : sauvegardez-la, puis"
            " `rulekit serve --upgrade`"
        ),
    ),
    "table.carried": (
        (
            "the tables were kept by an older version of the program; as they were, they are still"
            " in {file}"
        ),
        (
            "les tables venaient d'une version antérieure du programme ; telles quelles, elles"
            " restent dans {file}"
        ),
    ),
    "table.not_copied": (
        "the tables are of an older version, and no copy could be made first in {file}: {why}",
        (
            "les tables sont d'une version antérieure, et la copie préalable dans {file} a échoué :"
            " {why}"
        ),
    ),
    "table.newer": (
        "the database is of version {version}, which this program ({known}) does not know yet",
        "la base est de la version {version}, que ce programme ({known}) ne connaît pas encore",
    ),
    "table.pin_lost": (
        "the rules that this game was begun with are not known to this version of the program",
        "cette version du programme ne connaît pas les règles du début de la partie",
    ),
    "table.none": ("there is no table {id}", "il n'y a pas de table {id}"),
    "table.not_kept": (
        "this was not kept and did not happen: {why}",
        "ceci n'a pas été conservé et n'a pas eu lieu : {why}",
    ),
    "end_of_moves": ("the game is over", "la partie est terminée"),
    "not_now": (
        "{key} cannot be chosen now: {who} is asked: {prompt}",
        "{key} ne peut être choisi maintenant ; à {who} : {prompt}",
    ),
    "refused": ("{key} is refused: {why}", "{key} est refusé : {why}"),
    "arguments": (
        (
            "{name} takes {n|0: no argument|1: 1 argument ({wanted})|*: {n} arguments ({wanted})},"
            " not {given}; for example: {example}"
        ),
        (
            "{name} prend {n|0: aucun argument|1: 1 argument ({wanted})|*: {n} arguments"
            " ({wanted})}, pas {given} ; par exemple : {example}"
        ),
    ),
    "event_number": ("event {n}: ", "événement {n} : "),
    "no_derivation": ("no total was computed for it", "aucun total n'a été calculé pour lui"),
    "before_shift": ("before the shift", "avant décalage"),
    "shift": ("shift", "décalage"),
    "end_of_table": ("beyond the end of the table: {what}", "au-delà du bout de la table : {what}"),
    "ruling": ("ruling {name}: {chosen}", "décision {name} : {chosen}"),
    "by_ruling": ("as the rulings say", "selon les décisions"),
    "by_choice": (
        "it follows from a choice ({who}: {what})",
        "il suit d'un choix ({who} : {what})",
    ),
    "and_more": ("... and {n} more", "... et {n} autres"),
    "which_first": ("Which of these first?", "Lequel d'abord ?"),
    "not_possible": ("it is not among the possibilities here", "ce n'est pas possible ici"),
    "not_told": (
        "it hangs on what you may not know",
        "cela dépend de ce que vous ne pouvez pas savoir",
    ),
    "none_such": ("there is no such option here", "il n'y a pas d'option de ce nom ici"),
    "others_turn": ("{who} is asked", "c'est à {who}"),
    "not_known": (
        "you may not know which thing that is",
        "vous ne pouvez pas savoir quelle chose c'est",
    ),
    "not_this_moment": ("it does not belong to this moment", "ce n'est pas le moment"),
    "in_group": ("it is in the group already", "il est déjà dans le groupe"),
    "not_begun": ("nobody has moved yet", "personne n'a encore bougé"),
    "clause.least": ("at least", "au moins"),
    "clause.most": ("at most", "au plus"),
    "most": ("no more than {n} here", "pas plus de {n} ici"),
    "limit": ("its limit is used up", "la limite est atteinte"),
    "pays": ("it cannot be paid", "le prix ne peut être payé"),
    "with": ("there is nothing for it", "il n'y a rien pour cela"),
    "guard": ("a condition does not hold", "une condition n'est pas remplie"),
    "costs": ("costs {cost}, {left} left", "coûte {cost}, reste {left}"),
    "not_next": ("{to} is not next to {at}", "{to} n'est pas voisin de {at}"),
    "walk_over": ("the move ends at {at}", "le mouvement s'arrête : {at}"),
    "been": ("{to} was passed before", "{to} a déjà été traversé"),
    "offered": ("{key} is offered", "{key} est proposé"),
    "not_offered": ("{text} is not offered here", "{text} n'est pas proposé ici"),
    "help_says": ("`help` says what can be typed", "`aide` dit ce qu'on peut taper"),
    "not_added": ("{text} cannot be added here", "{text} ne peut être ajouté ici"),
    "line_undone": ("nothing of the line was done", "rien de la ligne n'a été fait"),
    "line_waits": (
        "{who} is asked first; then the line goes on: {rest}",
        "{who} répond d'abord ; ensuite la ligne continue : {rest}",
    ),
    "line_dropped": (
        "something was played: the rest of the line is not done: {rest}",
        "quelque chose a été joué : la suite de la ligne n'est pas faite : {rest}",
    ),
    "only": ("{prompt}: {what} (the only choice)", "{prompt} : {what} (seul choix)"),
    "no_end": (
        "the move cannot end at {at}: {why}",
        "le mouvement ne peut finir ici, {at} : {why}",
    ),
    "only_to": ("{what} can go nowhere but to {at}", "{what} ne peut aller que là : {at}"),
    "goes_on": (
        "{what} does not end in {to} but goes on to {at}",
        "{what} ne s'arrête pas en {to} mais va jusqu'à {at}",
    ),
    "nothing_refused": ("nothing is refused here", "rien n'est refusé ici"),
    "onward": (
        "the walk could not end from there",
        "le mouvement ne pourrait pas s'achever par là",
    ),
    "no_option": (
        "there is no option {n}: they go from 1 to {last}",
        "il n'y a pas de choix {n} : ils vont de 1 à {last}",
    ),
    "too_long": (
        "this is too long: at most {n} characters",
        "c'est trop long : {n} caractères au plus",
    ),
    "may_mean": ("{text} may mean {found}", "{text} peut désigner {found}"),
    "hidden": ("hidden", "caché"),
    "does_not_apply": ("does not apply", "ne s'applique pas"),
    "overridden": ("overridden", "remplacé"),
    "idle": ("changes nothing", "ne change rien"),
    "cancelled": ("cancelled", "annulé"),
    "cancelled_by": ("cancelled by {what}", "annulé par {what}"),
    "yes": ("yes", "oui"),
    "no": ("no", "non"),
    "none": ("none", "aucun"),
    "none_of_them": ("none of them", "aucun d'entre eux"),
    "pass": ("pass", "passer"),
    "stop": ("stop", "s'arrêter"),
    "go": ("done", "terminé"),
    "add": ("add", "ajouter"),
    "to": ("to {place}", "vers {place}"),
    "picked": ("picked so far: {what}", "déjà choisis : {what}"),
    "from": ("from {at}", "départ : {at}"),
    "at": ("now at {at}", "maintenant : {at}"),
    "left": ("{n} left", "reste {n}"),
    "taken_back": ("taken back: {what}", "repris : {what}"),
    "made_again": ("made again: {what}", "refait : {what}"),
    "nothing_found": ("nothing found", "rien trouvé"),
    "saved": ("saved in {file}", "enregistré dans {file}"),
    "save_is_there": (
        (
            "{file}: there is such a file already; `--load {file} --save {file}` goes on with the"
            " game in it, or name another file"
        ),
        (
            "{file} : ce fichier existe déjà ; `--load {file} --save {file}` reprend la partie"
            " qu'il contient, ou nommez un autre fichier"
        ),
    ),
    "save_is_another": (
        (
            "{file}: there is such a file already, and it is no earlier part of this game; name"
            " another file"
        ),
        (
            "{file} : ce fichier existe déjà, et ce n'est pas un début de cette partie ; nommez un"
            " autre fichier"
        ),
    ),
    "save_in_use": (
        "{file}: a game is being played in this file by {who}",
        "{file} : une partie se joue dans ce fichier : {who}",
    ),
    "save_was_left": (
        "{file} was not closed by {who}: what it had written is all there",
        "{file} n'a pas été fermé : {who} ; tout ce qui était écrit y est",
    ),
    "somebody": ("another process", "un autre processus"),
    "process": (
        "process {pid} on {host}, since {since}",
        "processus {pid} sur {host}, depuis {since}",
    ),
    "cut_off": (
        "the last line of {file} was not whole and was left out",
        "la dernière ligne de {file} n'était pas entière : elle est omise",
    ),
    "not_kept": (
        (
            "{file}: {why}. The game goes on but is not whole in this file: make room, or `save` it"
            " in another file"
        ),
        (
            "{file} : {why}. La partie continue, mais ce fichier ne l'a pas entière : faites de la"
            " place, ou `save` dans un autre fichier"
        ),
    ),
    "kept_again": ("{file} has the whole game again", "{file} a de nouveau toute la partie"),
    "kept_there": (
        "{file} has every choice as it is made",
        "chaque choix est écrit dans {file} aussitôt",
    ),
    "kept_beside": (
        "the game until now stays in {file}; this one is written to {new}",
        "la partie jusqu'ici reste dans {file} ; celle-ci s'écrit dans {new}",
    ),
    "seat_is_other": (
        "{side}: {seat} now, {saved} in the save",
        "{side} : {seat} désormais, {saved} dans la partie enregistrée",
    ),
    "other_rules": (
        (
            "the save was made under other rules; under these, all that was played is the same, and"
            " the game goes on under these"
        ),
        (
            "la partie enregistrée suivait d'autres règles ; sous celles-ci tout ce qui fut joué"
            " reste pareil, et la partie continue"
        ),
    ),
    "other_rules_there": (
        "{file} was made under other rules: go on in another file (`--save FILE`)",
        "{file} suivait d'autres règles : continuez dans un autre fichier (`--save FICHIER`)",
    ),
    "does_not_fit": (
        "{file}: the save does not fit the rules: {why}",
        "{file} : la partie enregistrée ne va pas avec les règles : {why}",
    ),
    "differs.version": (
        "version of the game: {saved} in the save, {now} now",
        "version du jeu : {saved} dans la partie, {now} maintenant",
    ),
    "differs.rules": (
        "digest of the rules: {saved} in the save, {now} now",
        "empreinte des règles : {saved} dans la partie, {now} maintenant",
    ),
    "differs.names": (
        "names that are others now: {names}",
        "noms qui sont autres maintenant : {names}",
    ),
    "differs.scenario": (
        "scenario: {saved} in the save, {now} now",
        "scénario : {saved} dans la partie, {now} maintenant",
    ),
    "differs.ruling": (
        "ruling {name}: {saved} in the save, {now} now",
        "décision {name} : {saved} dans la partie, {now} maintenant",
    ),
    "loaded": ("loaded {file}, {n} choices", "{file} chargé, {n} choix"),
    "seed": ("the seed was {seed}", "la graine était {seed}"),
    "seed_and_salt": (
        (
            "the seed was {seed}, the salt {salt}: the commitment is the SHA-256 of 'rulekit {salt}"
            " {seed}'"
        ),
        (
            "la graine était {seed}, le sel {salt} : l'engagement est le SHA-256 de « rulekit"
            " {salt} {seed} »"
        ),
    ),
    "closed": ("closed: no passage", "fermé : pas de passage"),
    "corner": ("corner: not adjacent across it", "point d'angle : pas d'adjacence au travers"),
    "and": ("and", "et"),
    "colon": (": ", " : "),
    "semicolon": ("; ", " ; "),
    "result": ("result: {what}", "résultat : {what}"),
    "playing": ("{title}, scenario {scenario}; {seats}", "{title}, scénario {scenario} ; {seats}"),
    "commitment": ("commitment to the seed: {hash}", "engagement sur la graine : {hash}"),
    "seed_open": ("seed {seed}", "graine {seed}"),
    "more_log": ("... {n} more: `log`", "... {n} de plus : `log`"),
    "log_before": (
        "... {n} lines before: `log more`, `log all`",
        "... {n} lignes avant : `log suite`, `log tout`",
    ),
    "more_lines": ("... {n} more lines: `more`", "... {n} lignes de plus : `suite`"),
    "no_more": ("there is no more", "il n'y a rien de plus"),
    "no_id": (
        "the id of an option is a whole number, not {what}",
        "le numéro d'un choix est un entier, non {what}",
    ),
    "no_option_with": ("no option has {text} in it", "aucun choix ne contient {text}"),
    "of_many": (
        "({n} options, up to {last}; `options WORDS`)",
        "({n} choix, jusqu'au {last} ; `options MOTS`)",
    ),
    "more_found": (
        "... and {n} more: say more of the name",
        "... et {n} autres : donnez plus du nom",
    ),
    "can": ("can: {what}", "peut : {what}"),
    "nowhere": ("not on the board", "pas sur le plateau"),
    "save_where": ("save where? `save FILE`", "enregistrer où ? `save FICHIER`"),
    "load_decides": (
        "--load goes on with what is in the save: leave out {name}",
        "--load reprend ce qui est dans la partie enregistrée : sans {name}",
    ),
    "load_what": ("load what? `load FILE`", "charger quoi ? `load FICHIER`"),
    "auto_what": (
        "`auto pass on` or `auto pass off`, not {text}",
        "`auto pass on` ou `auto pass off`, pas {text}",
    ),
    "auto_on": (
        "windows in which you can only pass are passed for you",
        "les fenêtres où l'on ne peut que passer sont passées pour vous",
    ),
    "auto_off": ("you are asked at every window", "chaque fenêtre vous est demandée"),
    "auto_alone": (
        (
            "this is only for a person who plays alone: that you are not asked would tell the other"
            " something"
        ),
        "seulement pour qui joue seul : ne pas être interrogé apprendrait quelque chose à l'autre",
    ),
    "skip_what": (
        "skip what? [all] [turn|game], or off; not {text}",
        "passer quoi ? [all] [turn|game], ou off ; pas {text}",
    ),
    "skip_off": (
        "you are asked at every window again",
        "chaque fenêtre vous est de nouveau demandée",
    ),
    "no_window": (
        "this is no window: `skip all turn` passes all windows of this turn",
        "ce n'est pas une fenêtre : `skip all turn` passe toutes les fenêtres de ce tour",
    ),
    "skip.game": (
        "all windows are passed for the game",
        "toutes les fenêtres sont passées jusqu'à la fin de la partie",
    ),
    "skip.turn": (
        "all windows are passed for this turn",
        "toutes les fenêtres sont passées pour ce tour",
    ),
    "skip.event": (
        "all windows are passed until something happens",
        "toutes les fenêtres sont passées jusqu'au prochain fait",
    ),
    "skip.game.one": (
        "windows of '{what}' are passed for the game",
        "les fenêtres « {what} » sont passées jusqu'à la fin de la partie",
    ),
    "skip.turn.one": (
        "windows of '{what}' are passed for this turn",
        "les fenêtres « {what} » sont passées pour ce tour",
    ),
    "skip.event.one": (
        "windows of '{what}' are passed until something happens",
        "les fenêtres « {what} » sont passées jusqu'au prochain fait",
    ),
    "skip.asked": (
        "windows are passed until you are asked something else or something is played in one",
        (
            "les fenêtres sont passées jusqu'à une autre question, ou jusqu'à ce que quelqu'un y"
            " joue quelque chose"
        ),
    ),
    "no_member": ("{name} is not a {kind}", "{name} n'est pas connu ({kind})"),
    "no_kind": ("{name} is not a kind of this game", "{name} n'est pas une sorte de ce jeu"),
    "no_player": ("there is no player {name}", "il n'y a pas de joueur {name}"),
    "no_truth": ("{value} is neither true nor false", "{value} n'est ni vrai ni faux"),
    "no_number": ("{value} is not a number", "{value} n'est pas un nombre"),
    "largest": ("a number is {n} at most", "un nombre vaut au plus {n}"),
    "is_fixed": (
        "{name} is fixed, and no state; data.yaml, the scenario or a ruling gives its value",
        (
            "{name} est fixe, ce n'est pas un état ; data.yaml, le scénario ou une décision lui"
            " donne sa valeur"
        ),
    ),
    "no_state": ("{name} is no state of this game", "{name} n'est pas un état de ce jeu"),
    "no_total": ("{name} is no total of this game", "{name} n'est pas un total de ce jeu"),
    "no_derivation_of": (
        "{name} is neither a total nor a permit: it has no derivation",
        "{name} n'est ni un total ni une permission : il n'y a pas de calcul",
    ),
    "no_context": (
        "{name} only has a meaning in {where}, which is not going on",
        "{name} n'a de sens que dans : {where}, qui n'est pas en cours",
    ),
    "nothing_to_undo": ("there is nothing to take back", "il n'y a rien à reprendre"),
    "nothing_undone": ("nothing was taken back", "rien n'a été repris"),
    "others_choice": (
        "the last choice was another player's",
        "le dernier choix était celui d'un autre joueur",
    ),
    "die_was_rolled": ("a die was rolled", "un dé a été jeté"),
    "was_drawn": ("something was drawn", "quelque chose a été tiré"),
    "was_revealed": ("something was revealed", "quelque chose a été révélé"),
    "no_scenario": (
        "{game} has no scenario {name}; it has {known}",
        "{game} n'a pas de scénario {name} ; il y a {known}",
    ),
    "no_edition": (
        "{game} has no edition {name}; it has {known}",
        "{game} n'a pas d'édition {name} ; il y a {known}",
    ),
    "no_ruling": (
        "{game} has no ruling {name}; it has {known}",
        "{game} n'a pas de décision {name} ; il y a {known}",
    ),
    "game.changed": (
        "the files of the game have changed since it was loaded",
        "les fichiers du jeu ont changé depuis qu'il a été chargé",
    ),
    "no_alternative": (
        "the ruling {ruling} has no alternative {name}; it has {known}",
        "la décision {ruling} n'a pas d'alternative {name} ; il y a {known}",
    ),
    "no_side": (
        "{game} has no side {name}; it has {known}",
        "{game} n'a pas de camp {name} ; il y a {known}",
    ),
    "no_seat": (
        "there is no seat {name}; there are {known}",
        "il n'y a pas de joueur {name} ; il y a {known}",
    ),
    "no_texts": (
        "{game} has no texts in {name}; there are {known}",
        "{game} n'a pas de textes en {name} ; il y a {known}",
    ),
    "ruling.default": ("default", "par défaut"),
    "ruling.set_by": ("edition {name}", "édition {name}"),
    "ruling.because": ("because: {why}", "parce que : {why}"),
    "ruling.defaults": ("all as by default", "tout par défaut"),
    "ruling.edition": ("edition {name}: {what}", "édition {name} : {what}"),
    "ruling.count": (
        (
            "{n|1: 1 ruling|*: {n} rulings}, {live} of them with alternatives (choose with --ruling"
            " NAME=ALTERNATIVE)"
        ),
        (
            "{n|1: 1 décision|*: {n} décisions}, dont {live} avec des alternatives (choisir avec"
            " --ruling NOM=ALTERNATIVE)"
        ),
    ),
    "no_undo": ("this cannot be taken back: {why}", "ceci ne peut être repris : {why}"),
    "hand_over": (
        "The screen goes to {who}. The others look away.",
        "L'écran passe à {who}. Les autres détournent les yeux.",
    ),
    "press_enter": ("press Enter", "appuyez sur Entrée"),
    "screen_goes": ("the screen goes to {who}", "l'écran passe à {who}"),
    "game_left": ("the game is left", "la partie est interrompue"),
    "totals": ("totals: {names}", "totaux : {names}"),
    "endless_line": (
        "the input ends here: a line of it has no end",
        "l'entrée finit ici : une de ses lignes n'a pas de fin",
    ),
    "input_ended": (
        "(the input has ended: the random seat goes on)",
        "(fin de l'entrée : le joueur aléatoire continue)",
    ),
    "stands": ("stands at {at}", "lieu : {at}"),
    "in": ("in {what}", "dans {what}"),
    "neighbours": ("next to {what}", "voisin de {what}"),
    "event.die_rolled": ("{who} rolls {value} ({purpose})", "{who} obtient {value} ({purpose})"),
    "event.die_rolled.nobody": (
        "The die shows {value} ({purpose})",
        "Le dé donne {value} ({purpose})",
    ),
    "event.roll_cancelled": ("The roll {value} is cancelled", "Le jet {value} est annulé"),
    "event.drawn": ("{who} draws {what}", "{who} tire {what}"),
    "event.drawn.nobody": ("{what}: drawn to {target}", "{what} : de {source} à {target}"),
    "event.put": ("{who} puts {what} in {target}", "{who} met {what} dans {target}"),
    "event.put.nobody": ("{what}: now in {target}", "{what} : maintenant dans {target}"),
    "event.gathered": ("{what}: now in {target}", "{what} : maintenant dans {target}"),
    "event.gathered.nobody": ("{what}: now in {target}", "{what} : maintenant dans {target}"),
    "event.revealed": ("{what} is revealed", "{what} est révélé"),
    "told_at": ("{where}: {why}", "{where} : {why}"),
    "save.not_json": (
        "this is not a saved game: the first line is not JSON, or was cut",
        (
            "ce n'est pas une partie enregistrée : la première ligne n'est pas du JSON, ou a été"
            " coupée"
        ),
    ),
    "save.no_format": (
        "this is not a saved game: the first line has no {format}",
        "ce n'est pas une partie enregistrée : la première ligne n'a pas {format}",
    ),
    "save.empty": (
        "this is not a saved game: it is empty; a new game may be kept in it",
        "ce n'est pas une partie enregistrée : c'est vide ; une nouvelle partie peut y être gardée",
    ),
    "save.version": (
        "the format version is {version}; this program reads {known}",
        "la version du format est {version} ; ce programme lit {known}",
    ),
    "save.header": (
        "the header's {name} is missing or of the wrong sort",
        "dans l'en-tête, {name} manque ou n'est pas de la bonne sorte",
    ),
    "save.no_name": (
        'the header\'s "game" is not a name of a game',
        "dans l'en-tête, \"game\" n'est pas un nom de jeu",
    ),
    "save.no_seed": (
        'the header\'s "seed" is not a seed',
        "dans l'en-tête, \"seed\" n'est pas une graine",
    ),
    "save.no_salt": (
        'the header\'s "salt" is not a salt: 32 hexadecimal digits or more',
        "dans l'en-tête, \"salt\" n'est pas un sel : au moins 32 chiffres hexadécimaux",
    ),
    "save.other_seed": (
        "the seed is not the one that was committed to before the game",
        "la graine n'est pas celle de l'engagement pris avant la partie",
    ),
    "save.no_object": ("expected an object", "un objet est attendu"),
    "save.nothing_to_undo": (
        "takes back a choice, but none stands",
        "reprend un choix, mais il n'y en a pas",
    ),
    "save.no_record": (
        'expected "by", "choice" and "events"',
        '"by", "choice" et "events" sont attendus',
    ),
    "save.no_choice": ("a line without a choice", "une ligne sans choix"),
    "save.gap": (
        "the number of the choice is not {n}: a line is missing, or stands elsewhere",
        "le numéro du choix n'est pas {n} : il manque une ligne, ou elle est ailleurs",
    ),
    "save.long_line": ("this line is too long", "cette ligne est trop longue"),
    "save.damaged": ("damaged: not a line of JSON", "abîmé : pas une ligne de JSON"),
    "save.too_large": (
        "a saved game is not longer than {n} kB",
        "une partie enregistrée n'a pas plus de {n} ko",
    ),
    "save.gone": (
        (
            "the file of this name is not the one in which the game was kept: that was moved,"
            " removed or cut"
        ),
        (
            "le fichier de ce nom n'est pas celui où la partie était gardée : il a été déplacé,"
            " effacé ou coupé"
        ),
    ),
    "save.of_another": (
        "this is a save of {name}, not of {game}",
        "ceci est une partie de {name}, pas de {game}",
    ),
    "save.choice": ("choice {n}: {why}", "choix {n} : {why}"),
    "save.changed": ("the save was changed", "le fichier a été modifié"),
    "save.changed_same": (
        (
            "these are the rules that the save names, and they give something else: the save was"
            " changed, or another rulekit wrote it"
        ),
        (
            "ce sont les règles que nomme le fichier, et elles donnent autre chose : il a été"
            " modifié, ou un autre rulekit l'a écrit"
        ),
    ),
    "save.renamed_too": (
        "the rules play as those of the save do, under other names; that does not account for this",
        (
            "les règles jouent comme celles de la partie, sous d'autres noms ; cela n'explique pas"
            " ceci"
        ),
    ),
    "save.rules_changed": ("the rules have changed since", "les règles ont changé depuis"),
    "save.by_another": (
        "{by} is said to have made it, but {player} is asked",
        "il serait de {by}, mais c'est à {player} de choisir",
    ),
    "save.not_installed": (
        "the save is of the game {name}, which is not installed: give its folder with --game PATH",
        (
            "la partie est du jeu {name}, qui n'est pas installé : donnez son dossier avec --game"
            " CHEMIN"
        ),
    ),
    "no_greedy": (
        (
            "a greedy seat needs a total {total} of one player; {game} has none (name another with"
            " `greedy` or `victory_total` in game.yaml)"
        ),
        (
            "un joueur glouton veut un total {total} d'un joueur ; {game} n'en a pas (à nommer par"
            " `greedy` ou `victory_total`, game.yaml)"
        ),
    ),
    "replay.over": ("the game is over: {who}, {level}", "la partie est terminée : {who}, {level}"),
    "replay.nobody": ("nobody", "personne"),
    "replay.asked": ("{who} is asked: {prompt}", "à {who} : {prompt}"),
    "replay.differs": (
        "choice {n} (line {line}): recorded {recorded}, now {actual}",
        "choix {n} (ligne {line}) : enregistré {recorded}, maintenant {actual}",
    ),
    "replay.as_recorded": (
        "{n|1: 1 choice|*: {n} choices}, {m|1: 1 event|*: {m} events}: as recorded",
        "{n} choix, {m|1: 1 événement|*: {m} événements} : comme enregistré",
    ),
    "replay.otherwise": (
        "{n|1: 1 choice|*: {n} choices}, {m|1: 1 event|*: {m} events}: not as recorded",
        "{n} choix, {m|1: 1 événement|*: {m} événements} : autrement qu'enregistré",
    ),
    "replay.to": ("--to wants a number from 0 on", "--to veut un nombre à partir de 0"),
    "replay.event": ("--event wants a number from 0 to {n}", "--event veut un nombre de 0 à {n}"),
    "replay.hidden": ("event {n} is hidden from {viewer}", "l'événement {n} est caché à {viewer}"),
    "file.missing": ("{file}: there is no such file", "{file} : ce fichier n'existe pas"),
    "file.unreadable": (
        "{file}: the file cannot be read: {reason}",
        "{file} : le fichier ne peut être lu : {reason}",
    ),
    "file.outside": (
        "{file}: the file is a link that leads out of the folder",
        "{file} : le fichier est un lien qui mène hors du dossier",
    ),
    "file.folder": (
        "{file}: the file cannot be read: it is a folder",
        "{file} : le fichier ne peut être lu : c'est un dossier",
    ),
    "file.special": (
        "{file}: this is no plain file but a device, a pipe or a socket",
        "{file} : ce n'est pas un fichier ordinaire mais un périphérique, un tube ou une prise",
    ),
    "file.large": ("{file}: the file is larger than {n}", "{file} : le fichier dépasse {n}"),
    "file.many": (
        "{file}: in this folder are more files than {n}",
        "{file} : dans ce dossier, il y a plus de fichiers que {n}",
    ),
    "file.link": (
        "{file}: this is a link; it is not written through",
        "{file} : c'est un lien ; on n'écrit pas à travers",
    ),
    "file.no_name": ("this is no name of a file", "ce n'est pas un nom de fichier"),
    "system.ENOENT": ("No such file or directory", "fichier ou dossier introuvable"),
    "system.EISDIR": ("Is a directory", "c'est un dossier"),
    "system.ENOTDIR": ("Not a directory", "ce n'est pas un dossier"),
    "system.EACCES": ("Permission denied", "accès refusé"),
    "system.EPERM": ("Operation not permitted", "opération interdite"),
    "system.EROFS": ("Read-only file system", "le disque est en lecture seule"),
    "system.ENOSPC": ("No space left on device", "le disque est plein"),
    "system.EDQUOT": ("Disk quota exceeded", "le quota du disque est dépassé"),
    "system.EFBIG": ("File too large", "fichier trop grand"),
    "system.EEXIST": ("File exists", "le fichier existe déjà"),
    "system.ELOOP": ("Too many levels of symbolic links", "les liens tournent en rond"),
    "system.ENAMETOOLONG": ("File name too long", "le nom est trop long"),
    "system.EIO": ("Input/output error", "erreur du disque"),
    "system.EMFILE": ("Too many open files", "trop de fichiers ouverts"),
    "system.other": ("{what}", "le système répond « {what} »"),
}


def hint(lang: str, name: str, known: Iterable[str]) -> str:
    """Return "did you mean ...?" in a language for the most similar known names, or '' if there are
    none."""
    return spoken(lang, guess(name, known))


def spoken(lang: str, hint: str) -> str:
    """Translate a "did you mean ...?" of the compiler."""
    if lang != "fr":
        return hint
    return (
        hint.replace("did you mean", "vouliez-vous dire").replace(" or ", " ou ").replace("?", " ?")
    )


def fault(sort: type[Fault], key: str, **params: str | Exception) -> Fault:
    """Return an error with the text of a key. The text is English until the error is shown to
    somebody whose language is known (`said`). A parameter may be an error itself."""
    error = sort(filled(HOME, key, **{name: said(HOME, each) for name, each in params.items()}))
    error.key, error.params = key, params
    return error


def said(lang: str, what: str | Exception) -> str:
    """Return the text of an error in a language, if it has one. Errors of the operating system give
    their reason without the name of the file."""
    if isinstance(what, RulekitError) and what.key:
        return filled(
            lang, what.key, **{name: said(lang, each) for name, each in what.params.items()}
        )
    if isinstance(what, OSError) and what.errno:
        told = what.strerror or str(what)
        return word(lang, f"system.{errno.errorcode.get(what.errno)}") or filled(
            lang, "system.other", what=told
        )
    return word(lang, "file.no_name") if isinstance(what, ValueError) else str(what)


def filled(lang: str, key: str, **params: str) -> str:
    """Return the text of a key in a language, with its {names} filled in."""
    return fill(word(lang, key), params)


def word(lang: str, key: str) -> str:
    """Return the text of a key in a language, in English if the language is unknown, or '' if there
    is no such key."""
    found = _WORDS.get(key)
    return "" if found is None else found[LANGUAGES.index(lang) if lang in LANGUAGES else 0]
