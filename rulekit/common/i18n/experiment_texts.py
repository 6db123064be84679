"""Texts of simulations and sweeps in English and French, part of `rulekit.common.i18n.catalog`."""

from __future__ import annotations

STUDIED: dict[str, tuple[str, ...]] = {
    "study.died": (
        (
            "a process that played died {n} times at the same games (exit code {why}); is there"
            " enough memory?"
        ),
        (
            "un processus est mort {n} fois sur les mêmes parties (code {why}) ; y a-t-il assez de"
            " mémoire ?"
        ),
    ),
    "study.no_tally": ("this is no tally: {why}", "ce n'est pas un décompte : {why}"),
    "study.head": (
        (
            "{title}, scenario {scenario}: {games} games from seed {seed} on, {decisions} decisions"
            " in {seconds} s ({rate} games a second)"
        ),
        (
            "{title}, scénario {scenario} : {games} parties à partir de la graine {seed},"
            " {decisions} décisions en {seconds} s ({rate} parties par seconde)"
        ),
    ),
    "study.seats": ("seats: {what}", "joueurs : {what}"),
    "study.games": ("games", "parties"),
    "study.share": ("share", "part"),
    "study.interval": ("95 % interval", "intervalle à 95 %"),
    "study.winners": ("winners", "vainqueurs"),
    "study.levels": ("levels", "niveaux"),
    "study.by_winner": ("winner and level", "vainqueur et niveau"),
    "study.nobody": ("nobody", "personne"),
    "study.length": ("decisions per game", "décisions par partie"),
    "study.turns": ("turns per game", "tours par partie"),
    "study.score": ("{total} at the end, {side}", "{total} à la fin, {side}"),
    "study.min": ("min", "min"),
    "study.q1": ("q1", "q1"),
    "study.median": ("median", "médiane"),
    "study.q3": ("q3", "q3"),
    "study.max": ("max", "max"),
    "study.mean": ("mean", "moyenne"),
    "study.events": ("events", "événements"),
    "study.phases": ("phases", "phases du jeu"),
    "study.of_library": ("library {name}: {what}", "bibliothèque {name} : {what}"),
    "study.library": ("library", "bibliothèque"),
    "study.options": ("options", "choix"),
    "study.clauses": ("modifiers and conditions", "modificateurs et conditions"),
    "study.cards": ("cards", "cartes"),
    "study.occur": (
        "{what}: {n} occur, {m} never, in {games} games that were watched",
        "{what} : {n} surviennent, {m} jamais, en {games} parties suivies",
    ),
    "study.never": ("never: {what}", "jamais : {what}"),
    "study.in_games": ("in games", "en parties"),
    "study.times": ("times", "fois"),
    "study.failed": ("failed: {what}", "échec : {what}"),
    "study.many_failed": (
        "{n|1: 1 game|*: {n} games} failed",
        "{n|1: 1 partie a échoué|*: {n} parties ont échoué}",
    ),
    "study.stopped": (
        "stopped after {n} of {all} games; these were counted",
        "arrêté après {n} parties sur {all} ; elles ont été comptées",
    ),
    "study.progress": (
        "{n} of {all} games, {rate} a second",
        "{n} parties sur {all}, {rate} par seconde",
    ),
    "study.left": ("{time} left", "encore {time}"),
    "study.no_plots": (
        "a report is drawn with the library {name}: pip install 'rulekit[report]'",
        "un rapport se dessine avec la bibliothèque {name} : pip install 'rulekit[report]'",
    ),
    "study.no_ray": (
        "a cluster is reached with the library {name}: pip install 'rulekit[cluster]'",
        "une grappe se joint par la bibliothèque {name} : pip install 'rulekit[cluster]'",
    ),
    "study.no_cluster": (
        "there is no cluster at {address}: {why}",
        "il n'y a pas de grappe à {address} : {why}",
    ),
    "study.cluster_failed": (
        "the cluster could not play: {why}",
        "la grappe n'a pas pu jouer : {why}",
    ),
    "study.other_version": (
        "a worker of the cluster has rulekit {version}, not {wanted}",
        "un ouvrier de la grappe a rulekit {version}, pas {wanted}",
    ),
    "study.game": ("game", "jeu"),
    "study.run": ("run", "série"),
    "study.runs": ("runs", "séries"),
    "study.seeds": ("seeds of each run", "graines de chaque série"),
    "study.from_to": ("{low} to {high}", "{low} à {high}"),
    "study.scenario": ("scenario", "scénario"),
    "study.rulings": ("edition and rulings", "édition et décisions"),
    "study.as_printed": ("default", "par défaut"),
    "study.who_plays": ("seats", "joueurs"),
    "study.overlays": ("files of corrections", "fichiers de corrections"),
    "study.none": ("none", "aucune"),
    "study.how_to_read": (
        (
            "Game number i has the seed of the run + i, so every number here can be had again. Bars"
            " around shares are 95 % intervals (Wilson): where the true share of such games lies,"
            " as far as these games tell. Random seats say how the rules lean, not how good players"
            " fare."
        ),
        (
            "La partie numéro i a la graine de la série + i : chaque nombre peut être retrouvé. Les"
            " barres autour des parts sont des intervalles à 95 % (Wilson) : là où se tient la"
            " vraie part de telles parties, autant que celles-ci le disent. Des joueurs aléatoires"
            " disent où penchent les règles, non comment s'en tirent de bons joueurs."
        ),
    ),
    "study.wins": ("Who wins", "Qui gagne"),
    "study.of_games": ("share of the games", "part des parties"),
    "study.of_watched": ("share of the watched games", "part des parties suivies"),
    "study.wins_told": (
        "shares of the games won by each side, with their intervals",
        "parts des parties gagnées par chaque camp, avec leurs intervalles",
    ),
    "study.wins_caption": (
        "n = {n} games in each run; the bars are 95 % intervals (Wilson).",
        "n = {n} parties par série ; les barres sont des intervalles à 95 % (Wilson).",
    ),
    "study.turn": ("turn", "tour"),
    "study.side": ("side", "camp"),
    "study.end": ("end", "fin"),
    "study.score_told": (
        "{score} of each side as the turns end",
        "{score} de chaque camp à la fin des tours",
    ),
    "study.score_caption": (
        (
            "n = {n} games in each run, as each turn ends: line, the median; dark band, the middle"
            " half of the games; pale band, nine tenths. Games that ended earlier count up to their"
            " last turn."
        ),
        (
            "n = {n} parties par série, à la fin de chaque tour : ligne, la médiane ; bande sombre,"
            " la moitié centrale des parties ; bande pâle, neuf dixièmes. Une partie finie plus tôt"
            " compte jusqu'à son dernier tour."
        ),
    ),
    "study.final_told": (
        "{score} of each side when the games ended",
        "{score} de chaque camp à la fin des parties",
    ),
    "study.final_caption": (
        "n = {n} games in each run: how many of them ended with which score of each side.",
        "n = {n} parties par série : combien ont fini avec quel score de chaque camp.",
    ),
    "study.only_some": (
        "The first {n} of {all} runs are drawn; the table has all.",
        "Les {n} premières de {all} séries sont dessinées ; le tableau a tout.",
    ),
    "study.only_last": (
        "The {n} least frequent of {all} are drawn; the table has all.",
        "Les {n} moins fréquents de {all} sont dessinés ; le tableau a tout.",
    ),
    "study.lengths": ("How long it lasts", "Combien de temps cela dure"),
    "study.length_caption": (
        "{what}; n = {n} games in each run.",
        "{what} ; n = {n} parties par série.",
    ),
    "study.occur_caption": (
        (
            "n = {n} watched games, one in {every} of {all}: in how many of them it occurred; the"
            " bars are 95 % intervals (Wilson)."
        ),
        (
            "n = {n} parties suivies, une sur {every} des {all} : dans combien cela survient ; les"
            " barres sont des intervalles à 95 % (Wilson)."
        ),
    ),
    "study.occur_all": (
        "n = {n} games: in how many of them it occurred; the bars are 95 % intervals (Wilson).",
        (
            "n = {n} parties : dans combien cela survient ; les barres sont des intervalles à 95 %"
            " (Wilson)."
        ),
    ),
    "study.never_occurred": ("{n} never occurred:", "{n} jamais survenus :"),
    "study.always_occurred": ("{n} in every watched game:", "{n} dans chaque partie suivie :"),
    "study.won": ("won", "gagnées"),
    "study.numbers": ("numbers", "nombres"),
    "study.written": ("{file} written", "{file} écrit"),
    "study.in_use": (
        "another process plays this sweep now: {folder}",
        "un autre processus joue ce plan en ce moment : {folder}",
    ),
    "study.damaged": (
        "{file}: this is no file of a run ({why}); remove it to play the run again",
        "{file} : ce n'est pas le fichier d'une série ({why}) ; ôtez-le pour rejouer la série",
    ),
    "study.longer": (
        (
            "{folder}: {n} games of a run were played already, and {games} are asked for; ask for"
            " as many, or name another --out"
        ),
        (
            "{folder} : {n} parties d'une série sont déjà jouées, et {games} sont demandées ;"
            " demandez-en autant, ou un autre --out"
        ),
    ),
    "study.swept": (
        "{title}: {runs|1: 1 run|*: {runs} runs}, {games} games each, in {folder}",
        "{title} : {runs|1: 1 série|*: {runs} séries} de {games} parties, dans {folder}",
    ),
    "study.goes_on": (
        "{n} of {all} games were played before",
        "{n} parties sur {all} étaient déjà jouées",
    ),
    "study.by_native": (
        "played natively: {n|1: 1 game|*: {n} games}",
        "joué en natif : {n|1: 1 partie|*: {n} parties}",
    ),
    "study.by_both": (
        "played natively: {n} games; in Python: {python}",
        "joué en natif : {n} parties ; en Python : {python}",
    ),
    "study.by_python": ("played in Python: {why}", "joué en Python : {why}"),
    "study.verified": (
        (
            "{n|1: 1 game|*: {n} games} ({decisions} decisions) compared with Python after every"
            " choice: no difference"
        ),
        (
            "{n|1: 1 partie comparée|*: {n} parties comparées} avec Python après chaque choix"
            " ({decisions} décisions) : aucune différence"
        ),
    ),
    "study.differs": (
        "seed {seed}, after {n|1: 1 choice|*: {n} choices}: {what}",
        "graine {seed}, après {n|1: 1 choix|*: {n} choix} : {what}",
    ),
    "native.no_engine": (
        "there is no engine {name}; there are {known}",
        "il n'y a pas de moteur {name} ; il y a {known}",
    ),
    "native.asked": ("as asked for", "comme demandé"),
    "native.no_package": (
        "playing natively needs the library wasmtime: pip install 'rulekit[native]'",
        "jouer en natif demande la bibliothèque wasmtime : pip install 'rulekit[native]'",
    ),
    "native.seats": (
        "only random seats play natively",
        "seuls les joueurs aléatoires jouent en natif",
    ),
    "native.full": (
        "recording all events and testing the invariants is done in Python",
        "noter tous les événements et vérifier les invariants se fait en Python",
    ),
    "native.watched": ("every game is watched", "chaque partie est suivie"),
    "native.seeds": (
        "seeds of native games are below 2^64",
        "les graines des parties natives sont inférieures à 2^64",
    ),
    "native.no_source": (
        "there is no native module, and no source of the game to make one of",
        "il n'y a pas de module natif, ni de source du jeu pour en faire un",
    ),
    "native.not_made": (
        "the games were played before a native module was worth making",
        "les parties étaient jouées avant qu'un module natif vaille d'être fait",
    ),
    "native.unknown": (
        "the rules hold what the native module does not know ({why})",
        "les règles contiennent ce que le module natif ne connaît pas ({why})",
    ),
    "native.room": (
        "the native module has no room for {n|1: 1 position|*: {n} positions}",
        "le module natif n'a pas de place pour {n|1: 1 position|*: {n} positions}",
    ),
    "native.turns": (
        "a game has more turns than the native module has room for",
        "une partie a plus de tours que le module natif n'a de place",
    ),
    "league.few": (
        "a league wants two different seats at least: --seat WHO --seat WHO; there are {known}",
        (
            "un championnat veut au moins deux joueurs différents : --seat QUI --seat QUI ; il y a"
            " {known}"
        ),
    ),
    "league.same": (
        "{one} and {other} are the same seat: name it once",
        "{one} et {other} sont le même joueur : nommez-le une fois",
    ),
    "league.other_game": (
        (
            "{file} holds a league of {other}, which one of {game} would overwrite: name another"
            " folder with --out"
        ),
        (
            "{file} contient un championnat de {other}, qu'un de {game} écraserait : nommez un"
            " autre dossier avec --out"
        ),
    ),
    "league.no_results": (
        (
            "{file} holds no results of a league, and would be overwritten: name another folder"
            " with --out"
        ),
        (
            "{file} ne contient pas les résultats d'un championnat, et serait écrasé : nommez un"
            " autre dossier avec --out"
        ),
    ),
    "league.fewer": (
        (
            "{file} is written anew without {seats}: their games stay kept, and count again when"
            " they are named"
        ),
        (
            "{file} est récrit sans {seats} : leurs parties restent gardées, et comptent de nouveau"
            " si on les nomme"
        ),
    ),
    "league.alone": (
        "{game} has one side: there is nobody to play against",
        "{game} n'a qu'un camp : il n'y a pas d'adversaire",
    ),
    "league.head": (
        "{title}: {n} seats, {games|1: 1 game|*: {games} games}",
        "{title} : {n} joueurs, {games|1: 1 partie|*: {games} parties}",
    ),
    "league.seat": ("seat", "joueur"),
    "league.against": ("against", "contre"),
    "league.scenario": ("scenario", "scénario"),
    "league.side": ("side", "camp"),
    "league.games": ("games", "parties"),
    "league.won": ("won", "gagnées"),
    "league.drawn": ("drawn", "nulles"),
    "league.lost": ("lost", "perdues"),
    "league.score": ("score", "résultat"),
    "league.mean": (
        "Elo: 0 is the mean of these seats; a draw counts as half a win.",
        "Elo : 0 est la moyenne de ces joueurs ; une nulle compte comme une demi-victoire.",
    ),
    "league.prior": (
        (
            "Some seats won nothing against the others: half a drawn game of each against the mean"
            " was added, or their distance would have no end. Read it as rather too small."
        ),
        (
            "Des joueurs n'ont rien gagné contre les autres : une demi-partie nulle de chacun"
            " contre la moyenne est ajoutée, sinon leur écart serait sans fin. Lisez-le comme"
            " plutôt trop petit."
        ),
    ),
    "league.timed": (
        (
            "Seats that think for seconds play other games when they are played again, and on a"
            " busy machine worse ones."
        ),
        (
            "Les joueurs qui réfléchissent des secondes jouent d'autres parties si on les rejoue,"
            " et de moins bonnes sur une machine occupée."
        ),
    ),
    "league.kept": ("kept in {folder}", "gardé dans {folder}"),
    "study.again": ("the same command goes on from here", "la même commande continue d'ici"),
}
