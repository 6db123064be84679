"""Texts of the server for many people in English and French, part of
`rulekit.common.i18n.catalog`."""

from __future__ import annotations

SERVED: dict[str, tuple[str, ...]] = {
    "table.defect": (
        "an error of rulekit itself ({error}); the log of the server has more",
        "une erreur de rulekit lui-même ({error}) ; le journal du serveur en dit plus",
    ),
    "people.too_often": (
        "too often; try again in {seconds} s",
        "trop souvent ; réessayez dans {seconds} s",
    ),
    "people.password_length": (
        "a password has {least} to {most} letters",
        "un mot de passe a de {least} à {most} lettres",
    ),
    "people.password_common": (
        "this password is one of the first that are guessed",
        "ce mot de passe est un des premiers que l'on devine",
    ),
    "people.name": (
        "a name has 1 to 40 letters that can be seen",
        "un nom a de 1 à 40 lettres visibles",
    ),
    "people.mail": ("this is no address of mail", "ce n'est pas une adresse de courriel"),
    "people.hook": ("this is no address of a web hook", "ce n'est pas une adresse de notification"),
    "people.name_scripts": (
        "a name is written in one script",
        "un nom s'écrit dans un seul alphabet",
    ),
    "people.name_taken": (
        "the name {name} is taken, or looks like one that is",
        "le nom {name} est pris, ou ressemble à un nom qui l'est",
    ),
    "people.wrong": (
        "the name and the password do not belong together",
        "le nom et le mot de passe ne vont pas ensemble",
    ),
    "people.still_plays": (
        "you still play somewhere; finish these games, or resign",
        "vous jouez encore ; finissez ces parties, ou abandonnez",
    ),
    "people.sign_in": ("sign in first", "connectez-vous d'abord"),
    "people.is_signed_in": ("sign out first", "déconnectez-vous d'abord"),
    "people.no_sign_up": (
        "nobody can make an account here by himself",
        "on ne crée pas de compte soi-même ici",
    ),
    "people.admin_only": (
        "this is for those who run the server",
        "c'est réservé à ceux qui tiennent le serveur",
    ),
    "people.owner_only": (
        "only who opened the table may do this",
        "seul qui a ouvert la table le peut",
    ),
    "people.not_open": ("the seat {side} is not open", "la place {side} n'est pas libre"),
    "people.seed_known": (
        "where another person plays nobody may name the seed: who knows it knows the dice",
        (
            "où une autre personne joue, personne ne peut nommer la graine : qui la connaît connaît"
            " les dés"
        ),
    ),
    "people.save_known": (
        (
            "who brings a save knows its dice to come, and all that is hidden: it goes on only"
            " where no other person plays"
        ),
        (
            "qui apporte une sauvegarde en connaît les dés à venir et les secrets : elle ne reprend"
            " que sans autre personne"
        ),
    ),
    "table.store_away": (
        "the tables cannot be read or kept just now; who runs this finds the reason in its log",
        (
            "les tables ne peuvent être lues ni gardées pour l'instant ; la raison est dans le"
            " journal du programme"
        ),
    ),
    "table.busy_all": (
        "too much waits to be done here; try again in a moment",
        "trop de choses attendent ici ; réessayez dans un instant",
    ),
    "table.pin_old": (
        (
            "the rules of this game were kept in a form that is not read any more, and under those"
            " of now it would have gone otherwise; play it to its end with the version of the"
            " program that began it"
        ),
        (
            "les règles de cette partie étaient gardées sous une forme qui n'est plus lue, et"
            " celles d'à présent diffèrent ; finissez-la avec la version du programme qui l'a"
            " commencée"
        ),
    ),
    "table.too_slow": (
        "what was sent did not come within {n} seconds",
        "ce qui était envoyé n'est pas arrivé en {n} secondes",
    ),
    "table.too_quick": (
        "this page asks without end for more than it may; it is sent away",
        "cette page demande sans fin plus qu'elle ne peut ; elle est renvoyée",
    ),
    "people.sockets": (
        "{n} pages look at tables here, and no more can; come again later",
        "{n} pages regardent des tables ici, et pas une de plus ne peut ; revenez plus tard",
    ),
    "people.sockets_table": (
        "{n} pages look at this table, and no more can",
        "{n} pages regardent cette table, et pas une de plus ne peut",
    ),
    "people.sockets_address": (
        "{n} pages look at tables from your address, and no more can; close one",
        (
            "{n} pages regardent des tables depuis votre adresse, et pas une de plus ne peut ;"
            " fermez-en une"
        ),
    ),
    "people.sockets_person": (
        "{n} pages look at tables for you, and no more can; close one",
        "{n} pages regardent des tables pour vous, et pas une de plus ne peut ; fermez-en une",
    ),
    "people.connections": (
        "too many connections are open here (from one address {n} at most); try again in a moment",
        (
            "trop de connexions sont ouvertes ici (d'une adresse {n} au plus) ; réessayez dans un"
            " instant"
        ),
    ),
    "people.undone": (
        "your side has taken back {n} choices in this game, and no more can be taken back",
        "votre camp a repris {n} choix dans cette partie, et ne peut en reprendre plus",
    ),
    "people.tables": (
        (
            "{n} tables of yours have not ended, and no more can be opened; finish some, or remove"
            " them"
        ),
        (
            "{n} de vos tables ne sont pas terminées, et pas une de plus ne peut s'ouvrir ;"
            " finissez-en ou retirez-en"
        ),
    ),
    "people.records": (
        "this save holds {n} choices, with those taken back; here a save may hold {most}",
        (
            "cette sauvegarde contient {n} choix, repris compris ; ici une sauvegarde peut en"
            " contenir {most}"
        ),
    ),
    "people.limit": (
        "{text} is no limit: NAME=TIMES/SECONDS or NAME=MOST, with one of the names {names}",
        "{text} n'est pas une limite : NOM=FOIS/SECONDES ou NOM=MAXIMUM, avec un des noms {names}",
    ),
    "people.broken": (
        "the rules of this game went wrong; who runs the server finds where in its log",
        "les règles de ce jeu sont en faute ; qui tient le serveur lit où dans son journal",
    ),
    "people.nobody_plays": (
        "no person plays at this table",
        "aucune personne ne joue à cette table",
    ),
    "people.slow_seat": (
        (
            "{seat} thinks too long for a server that many share: {seconds} seconds or {visits}"
            " visits at most"
        ),
        (
            "{seat} réfléchit trop longtemps pour un serveur partagé : {seconds} secondes ou"
            " {visits} visites au plus"
        ),
    ),
    "people.begun": ("the game has begun", "la partie a commencé"),
    "people.no_key": (
        "the key of a request has 16 to 64 letters, digits, - and _",
        "la clé d'une requête a de 16 à 64 lettres, chiffres, - et _",
    ),
    "people.key_used": (
        "this key came with another request before",
        "cette clé a déjà servi pour une autre requête",
    ),
    "people.no_time_there": (
        "{side} has no time left there",
        "il ne reste là plus de temps à {side}",
    ),
    "people.ended": ("the game is over", "la partie est terminée"),
    "people.not_ended": ("the game is not over", "la partie n'est pas terminée"),
    "people.waits": (
        "the game begins when all seats are taken",
        "la partie commence quand toutes les places sont prises",
    ),
    "people.clock": (
        "{text} is no clock: none, move:SECONDS, days:N or fischer:SECONDS+INCREMENT",
        "{text} n'est pas une pendule : none, move:SECONDES, days:N ou fischer:SECONDES+AJOUT",
    ),
    "people.no_invitation": (
        "this invitation is good no more",
        "cette invitation n'est plus valable",
    ),
    "people.nothing_there": ("there is nothing at this address", "il n'y a rien à cette adresse"),
    "people.which": (
        "{text} is no list of tables: mine, open or public",
        "{text} n'est pas une liste de tables : mine, open ou public",
    ),
    "people.nothing_to_claim": ("the other side has time left", "l'autre camp a encore du temps"),
    "people.rematch_made": ("the rematch has been made", "la revanche est prête"),
    "people.takeback_to": (
        "a choice is taken back to a number below {n}",
        "on reprend jusqu'à un numéro inférieur à {n}",
    ),
    "people.takeback_far": (
        "at most {n} choices are taken back at once",
        "on reprend au plus {n} choix à la fois",
    ),
    "people.nobody_to_agree": (
        "nobody else plays here who could agree",
        "personne d'autre ne joue ici pour accepter",
    ),
    "people.no_offer": ("this offer stands no more", "cette offre ne tient plus"),
    "people.own_offer": (
        "one's own offer is for the other to accept",
        "c'est à l'autre d'accepter votre offre",
    ),
    "people.no_text": ("there is no text in it", "il n'y a pas de texte"),
    "people.not_here": ("this chat is not for you now", "ce salon n'est pas pour vous à présent"),
    "people.no_such_text": ("there is no such text", "il n'y a pas de tel texte"),
    "people.not_yours": ("this is another's text", "c'est le texte d'un autre"),
    "people.hook_inside": (
        "this address is not one of the open internet",
        "cette adresse n'est pas sur l'internet public",
    ),
    "people.differs": (
        "from choice {n} ({by}) on it would go otherwise",
        "à partir du choix {n} ({by}) la suite serait autre",
    ),
    "people.renamed": (
        "only names are others ({names}); a table keeps the names that its record was written with",
        (
            "seuls des noms sont autres ({names}) ; une table garde les noms avec lesquels son"
            " journal fut écrit"
        ),
    ),
    "people.differs_more": (
        "{what}: {why}; then {recorded}, now {actual}",
        "{what} : {why} ; alors {recorded}, à présent {actual}",
    ),
    "people.no_backup": ("{file}: this is no backup", "{file} : ce n'est pas une sauvegarde"),
    "people.backup_cut": (
        "{file}: the backup is not whole; nothing was restored",
        "{file} : la sauvegarde est incomplète ; rien n'a été rétabli",
    ),
    "people.backup_version": (
        "the backup is of version {version}, this program of {known}: restore it with that",
        (
            "la sauvegarde est de la version {version}, ce programme de la {known} : rétablissez-la"
            " avec celui-là"
        ),
    ),
    "people.not_empty": (
        "there is something in this database; a backup is restored into an empty one",
        "cette base contient déjà quelque chose ; une sauvegarde se rétablit dans une base vide",
    ),
    "people.backed_up": ("{n} rows are in {file}", "{n} lignes sont dans {file}"),
    "people.restored": ("{n} rows were restored", "{n} lignes ont été rétablies"),
    "people.is_admin": ("{name} is an admin", "{name} administre le serveur"),
    "people.password_is": ("the new password: {password}", "le nouveau mot de passe : {password}"),
    "people.smtp": (
        "mail is sent by smtp://USER:PASSWORD@HOST:PORT (or smtps://), from an address",
        "le courriel part par smtp://NOM:SECRET@HÔTE:PORT (ou smtps://), d'une adresse",
    ),
    "people.notice_asked": ("{game}: it is your turn", "{game} : c'est à vous"),
    "people.notice_over": ("{game}: the game is over", "{game} : la partie est terminée"),
    "people.notice_takeback": (
        "{game}: your opponent wishes to take back",
        "{game} : votre adversaire voudrait reprendre",
    ),
    "people.notice_rematch": (
        "{game}: your opponent offers a rematch",
        "{game} : votre adversaire propose une revanche",
    ),
    "people.many_letters": (
        (
            "too many letters were sent today to this address or for you; try again tomorrow, or"
            " leave it out"
        ),
        (
            "trop de lettres sont parties aujourd'hui vers cette adresse ou pour vous ; réessayez"
            " demain, ou sans adresse"
        ),
    ),
    "people.not_sent": (
        "the letter could not be sent; try again later",
        "la lettre n'a pu partir ; réessayez plus tard",
    ),
    "people.no_letters": (
        "this server sends no mail now",
        "ce serveur n'envoie pas de courriel à présent",
    ),
    "people.nothing_to_confirm": (
        "there is no address that waits to be confirmed",
        "aucune adresse n'attend d'être confirmée",
    ),
    "people.no_confirmation": (
        "this link confirms nothing any more: send the letter again from your account",
        "ce lien ne confirme plus rien : renvoyez la lettre depuis votre compte",
    ),
    "people.confirm_subject": ("Is this your address?", "Est-ce votre adresse ?"),
    "people.confirm_letter": (
        (
            "Somebody has given this address at {server}, to be told there when it is their"
            " turn.\n\nIf it was you, open this link within a day:\n\n{address}\n\nIf not, do"
            " nothing: nothing else is sent to you."
        ),
        (
            "Quelqu'un a donné cette adresse à {server}, pour être averti quand c'est son"
            " tour.\n\nSi c'est vous, ouvrez ce lien d'ici un jour :\n\n{address}\n\nSinon, ne"
            " faites rien : rien d'autre ne vous sera envoyé."
        ),
    ),
    "people.notice_why": (
        "You asked to be told of it: {address}",
        "Vous avez demandé à en être averti : {address}",
    ),
    "people.is_at": ("the tables are at {address}", "les tables sont ici : {address}"),
    "people.one_process": (
        (
            "another process serves this database; with SQLite there is one, with PostgreSQL there"
            " may be several"
        ),
        (
            "un autre processus sert déjà cette base ; SQLite n'en veut qu'un, PostgreSQL en permet"
            " plusieurs"
        ),
    ),
    "people.public": (
        "--public-url wants an address such as https://table.example.org, not {text}",
        "--public-url veut une adresse comme https://table.example.org, pas {text}",
    ),
    "people.no_library": (
        "the server needs the library {name}: pip install 'rulekit[serve]'",
        "le serveur a besoin de la bibliothèque {name} : pip install 'rulekit[serve]'",
    ),
    "people.no_person": ("nobody has the name {name}", "personne n'a le nom {name}"),
    "people.ending_resigned": ("{side} resigned", "{side} abandonne"),
    "people.ending_time": ("{side} ran out of time", "{side} a épuisé son temps"),
    "people.ending_claimed": (
        "{side} left the game; it was claimed",
        "{side} a quitté la partie ; elle a été réclamée",
    ),
}
