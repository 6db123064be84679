"""Notifications: stored with their cause, sent once, retried, and dropped when they are no longer
true."""

import asyncio
import time

import pytest
from sqlalchemy import insert, select, update

from rulekit.server.database_schema import ACCOUNTS, HOSTED, NOTICES
from rulekit.server.online import notifications
from rulekit.server.online.notifications import Outbox, by_hook, by_mail


class Post:
    """A mail server that stores letters. With `broken` it accepts nothing."""

    def __init__(self):
        self.letters, self.broken = [], False

    async def send(self, to, subject, text):
        if self.broken:
            raise ConnectionRefusedError
        self.letters.append((to, subject, text))


class Posted:
    """A sender to web hooks that stores messages, with faults by address."""

    def __init__(self, **wrong):
        self.told, self.wrong = [], wrong

    async def post(self, hook, told):
        for part, error in self.wrong.items():
            if part in hook:
                raise error
        self.told.append((hook, told))


@pytest.fixture(autouse=True)
def alone(request):
    """Prevents the server from sending anything itself."""
    for name in ("online", "everywhere"):
        if name in request.fixturenames:
            made = request.getfixturevalue(name)
            made.client.portal.call(made.site.supervisor.end)


@pytest.fixture
def post():
    return Post()


def wishes_mail(online, who, mail):
    """Store a confirmed address of a person."""
    who.put("/api/me", {"mail": mail, "lang": "fr"})
    with online.site.store.begin() as db:
        db.execute(update(ACCOUNTS).where(ACCOUNTS.c.name == who.name).values(confirmed=1.0))


def asked(online, anna, bert):
    """Return a game at a decision of blue, with a wish for mail."""
    wishes_mail(online, bert, "bert@example.org")
    id = online.game(anna, bert)
    with anna.looks(id, "red") as red:
        while red.keys:
            red.take(red.keys[-1])
    return id


def waiting(online):
    """Return the waiting notifications."""
    return [row for row in everything(online) if row.due is not None]


def everything(online):
    with online.site.store.reading() as db:
        return list(db.execute(select(NOTICES)))


def send(online, post, after):
    """Send the due notifications by mail, or to web hooks."""
    by = by_mail if isinstance(post, Post) else by_hook

    async def go():
        box = Outbox(
            online.site.store,
            "mail" if isinstance(post, Post) else "hook",
            by(post, online.site.public),
            100,
        )
        await box.begin_due(time.time() + after)
        await box.landed()
        await box.close()

    asyncio.run(go())


def test_who_is_asked_gets_one_letter_in_his_language_after_a_while(everywhere, post):
    anna, bert = everywhere.new("Anna"), everywhere.new("Bert")
    id = asked(everywhere, anna, bert)
    send(everywhere, post, 0)
    assert post.letters == []
    for _ in range(2):
        send(everywhere, post, 61)
    [(to, subject, letter)] = post.letters
    assert (
        to == "bert@example.org"
        and subject == "skirmish : c'est à vous"
        and f"http://table.test/table/{id}" in letter
    )
    assert waiting(everywhere) == []


def test_who_has_answered_meanwhile_gets_none(online, anna, bert, post):
    id = asked(online, anna, bert)
    with bert.looks(id, "blue") as blue:
        while blue.keys:
            blue.take(blue.keys[-1])
    send(online, post, 61)
    assert post.letters == [] and waiting(online) == []


def test_what_cannot_be_sent_is_tried_again_and_given_up_at_last(online, anna, bert, post):
    asked(online, anna, bert)
    post.broken, after = True, 61.0
    for tries in range(1, len(notifications.TRIES) + 1):
        send(online, post, after)
        [row] = everything(online)
        assert row.tries == tries and row.trouble == "ConnectionRefusedError"
        send(online, post, after + 1)
        assert everything(online)[0].tries == tries, "not before its time"
        after += notifications.TRIES[tries - 1] + 1
    assert waiting(online) == [] and [
        (each["channel"], each["many"], each["why"])
        for each in bert.get("/api/me").json()["given_up"]
    ] == [("mail", 1, "ConnectionRefusedError")]
    post.broken = False
    send(online, post, after * 2)
    assert post.letters == []


def test_what_was_given_up_is_told_until_the_address_changes_or_works_again(online, anna, bert):
    def given_up():
        return [each["channel"] for each in bert.get("/api/me").json()["given_up"]]

    for again in range(2):
        bert.put("/api/me", {"hook": f"https://example.org/{again}"})
        assert given_up() == [], "another address is new"
        id = online.game(anna, bert)
        anna.post(f"/api/tables/{id}/resign", {"side": "red"})
        with online.site.store.begin() as db:
            db.execute(
                update(NOTICES)
                .where(NOTICES.c.table_id == id)
                .values(tries=len(notifications.TRIES) - 1)
            )
        send(online, Posted(example=TimeoutError()), 1)
        assert given_up() == ["hook"]
    id = online.game(anna, bert)
    anna.post(f"/api/tables/{id}/resign", {"side": "red"})
    send(online, Posted(), 1)
    assert given_up() == [] and anna.get("/api/me").json()["given_up"] == []


def test_a_hook_is_told_what_happened(online, anna, bert):
    bert.put("/api/me", {"hook": "https://example.org/x"})
    posts, id = Posted(), online.game(anna, bert)
    anna.post(f"/api/tables/{id}/resign", {"side": "red"})
    send(online, posts, 1)
    [(hook, what)] = posts.told
    assert (
        hook == "https://example.org/x"
        and what["what"] == "over"
        and what["address"] == f"http://table.test/table/{id}"
    )
    assert waiting(online) == []


class Strange(Exception):
    """An unexpected exception."""


def queued(online, many=1, what="over", channel="hook", **person):
    """Store notifications of a new person directly. Data of older versions or backups are not
    validated again."""
    who = online.new(f"Q{next(online.numbers)}")
    ids = [who.opens() for _ in range(many)]
    with online.site.store.begin() as db:
        row = db.execute(select(ACCOUNTS.c.id).where(ACCOUNTS.c.name == who.name)).scalar_one()
        db.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == row).values(confirmed=1.0, **person))
        db.execute(
            insert(NOTICES),
            [
                {
                    "person": row,
                    "table_id": id,
                    "channel": channel,
                    "what": what,
                    "made": 1.0,
                    "tries": 0,
                    "due": 1.0,
                }
                for id in ids
            ],
        )
    return row


@pytest.mark.parametrize(
    "error", [Strange(), TimeoutError(), ValueError(), RecursionError(), KeyError("x")]
)
def test_what_goes_wrong_with_one_notice_is_its_own_affair(everywhere, error):
    """This includes an undocumented error."""
    wrong = queued(everywhere, hook="http://evil.example/")
    broken = queued(everywhere, what="asked", hook="http://broken.example/")
    with everywhere.site.store.begin() as db:
        db.execute(update(HOSTED).where(HOSTED.c.owner == broken).values(left="{"))
    queued(everywhere, hook="http://good.example/")
    posts = Posted(evil=error)
    send(everywhere, posts, 0)
    assert [hook for hook, _ in posts.told] == ["http://good.example/"]
    left = {row.person: row for row in waiting(everywhere)}
    assert (
        len(left) == 2
        and left[wrong].trouble == type(error).__name__
        and left[wrong].tries == 1
        and left[wrong].due > time.time() + 30
    )


def test_what_was_never_an_address_harms_nobody(online):
    """The addresses are those that older versions accepted, with real senders."""
    from rulekit.server.online.mail import Mailer
    from rulekit.server.online.web_hooks import Hooks

    for hook in (
        "http://a:b",
        "http://a..b/",
        "http://[",
        "",
        "http://127.0.0.1:1/",
        "http://a:99999/",
    ):
        queued(online, hook=hook)
    for mail in (".:@example.org", "a:victim@example.org", "x\r\nBcc: y@z.org"):
        queued(online, channel="mail", mail=mail)
    hooks = Hooks()
    send(online, hooks, 0)
    hooks.close()
    assert all(row.trouble is not None for row in waiting(online) if row.channel == "hook")

    class Real(Post):
        async def send(self, to, subject, text):
            await Mailer("127.0.0.1", 1, "table@example.org").send(to, subject, text)

    send(online, Real(), 0)
    assert all(row.tries > 0 for row in waiting(online))


def test_one_person_has_one_notice_under_way_and_all_others_have_theirs(online):
    """A person with many notifications does not delay a person with one."""
    greedy = queued(online, many=10, hook="http://slow.example/")
    queued(online, hook="http://good.example/")
    pending, wrong, most, told, free = set(), [], [], [], asyncio.Event()

    async def deliver(row):
        if row.person in pending:
            wrong.append(row.person)
        pending.add(row.person)
        most.append(len(pending))
        if row.person == greedy:
            await free.wait()
        told.append(row.hook)
        pending.discard(row.person)

    async def go():
        box = Outbox(online.site.store, "hook", deliver, 2)
        await box.begin_due(time.time())
        while not told or len(box._flying) > 1:  # until a slot is free again
            await asyncio.sleep(0)
        for _ in range(3):
            await box.begin_due(time.time())
        assert told == ["http://good.example/"]
        free.set()
        await box.landed()
        assert told[1:] == ["http://slow.example/"]
        await box.close()

    asyncio.run(asyncio.wait_for(go(), 60))
    assert wrong == [] and max(most) == 2 and len(waiting(online)) == 9


def test_no_more_are_under_way_than_there_are_slots(online):
    for n in range(5):
        queued(online, hook=f"http://{n}.example/")
    now, most, free = [0], [0], asyncio.Event()

    async def deliver(row):
        now[0] += 1
        most[0] = max(most[0], now[0])
        await free.wait()
        now[0] -= 1

    async def go():
        box = Outbox(online.site.store, "hook", deliver, 3)
        for _ in range(4):
            await box.begin_due(time.time())
        while now[0] < 3:
            await asyncio.sleep(0)
        free.set()
        await box.landed()
        await box.begin_due(time.time())
        await box.landed()
        await box.close()

    asyncio.run(asyncio.wait_for(go(), 60))
    assert most == [3] and waiting(online) == []


def test_two_processes_send_a_notice_once(everywhere):
    for n in range(10):
        queued(everywhere, hook=f"http://{n}.example/")
    told = []

    async def deliver(row):
        told.append(row.hook)

    async def go():
        boxes = [Outbox(everywhere.site.store, "hook", deliver, 20) for _ in range(2)]
        now = time.time()
        await asyncio.gather(*(box.begin_due(now) for box in boxes))
        for box in boxes:
            await box.landed()
            await box.close()

    asyncio.run(go())
    assert len(told) == len(set(told)) == 10 and waiting(everywhere) == []


# -------------------------------------------------------------- exactly once
def wish(who, id, choice=0, kind="takeback"):
    answer = who.post(f"/api/tables/{id}/offers", {"side": "red", "kind": kind, "choice": choice})
    assert answer.status_code == 204, answer.text


def open_wishes(who, id):
    return [(each["id"], each["choice"]) for each in who.table_status(id)["offers"]]


def begun(online, anna, bert):
    wishes_mail(online, bert, "bert@example.org")
    id = online.game(anna, bert)
    with anna.looks(id, "red") as red:
        red.take("march red.H1", "to ford", "stop")
    return id


def test_a_wish_that_stands_is_told_once_however_often_it_is_repeated(online, anna, bert, post):
    id = begun(online, anna, bert)
    wish(anna, id)
    first = open_wishes(bert, id)
    for _ in range(28):
        wish(anna, id)
        send(online, post, 1)
    assert open_wishes(bert, id) == first, "it is the same one"
    assert [to for to, *_ in post.letters] == ["bert@example.org"]


@pytest.mark.parametrize("how", ["another", "withdrawn", "refused"])
def test_who_wishes_anew_again_and_again_is_told_of_once_an_hour(online, anna, bert, post, how):
    """Another choice, or the same one after a withdrawal or refusal, is a separate offer with an
    answer, but without a letter."""
    id = begun(online, anna, bert)
    for n in range(28):
        wish(anna, id, n % 3)
        [(number, choice)] = open_wishes(bert, id)
        assert choice == n % 3
        if how != "another":
            who, side = (anna, "red") if how == "withdrawn" else (bert, "blue")
            send(online, post, 1)
            assert (
                who.post(
                    f"/api/tables/{id}/offers/{number}", {"side": side, "accept": False}
                ).status_code
                == 204
            )
        send(online, post, 1)
    assert len(post.letters) == 1
    wish(anna, id, 1)
    send(online, post, notifications.AGAIN + 2)
    assert len(post.letters) == 2, "after an hour, if it stands"
    send(online, post, 3 * notifications.AGAIN)
    assert len(post.letters) == 2


def test_a_wish_that_stands_no_more_when_its_notice_is_due_is_not_told(online, anna, bert, post):
    id = begun(online, anna, bert)
    wish(anna, id)
    [(number, _)] = open_wishes(bert, id)
    anna.post(f"/api/tables/{id}/offers/{number}", {"side": "red", "accept": False})
    send(online, post, 1)
    assert post.letters == [] and waiting(online) == []


def test_a_rematch_that_is_wished_again_is_told_once(online, anna, bert, post):
    wishes_mail(online, bert, "bert@example.org")
    id = online.game(anna, bert)
    bert.post(f"/api/tables/{id}/resign", {"side": "blue"})
    for _ in range(5):
        wish(anna, id, None, "rematch")
        send(online, post, 1)
    assert sorted(subject.rsplit(" ", 1)[-1] for _, subject, _ in post.letters) == [
        "revanche",
        "terminée",
    ]


def test_a_turn_that_comes_and_goes_is_told_once(online, anna, bert, post):
    """A player chooses, undoes and chooses again. The other one is notified once."""
    wishes_mail(online, bert, "bert@example.org")
    id = anna.opens(game="tic_tac_toe", mine=["x"])
    assert bert.post(f"/api/invitations/{anna.invites(id, 'o')}").status_code == 200
    with anna.looks(id, "x") as page:

        def goes_back():
            assert page.answer("undo", at=1)["type"] == "answer"
            page.until(lambda: page.choice == 0)

        def again(times):
            for _ in range(times):
                page.take("mark b2")
                goes_back()
            page.take("mark b2")

        again(5)
        assert len(waiting(online)) == 1
        for _ in range(3):
            send(online, post, 61)
        assert len(post.letters) == 1
        goes_back()
        again(5)
    send(online, post, 200)
    assert len(post.letters) == 1, "play has not gone on"
    send(online, post, notifications.AGAIN + 100)
    assert len(post.letters) == 2, "but it is still his turn an hour later"


def test_the_next_turn_is_told_again(online, anna, bert, post):
    id = asked(online, anna, bert)
    send(online, post, 61)
    with anna.looks(id, "red") as red, bert.looks(id, "blue") as blue:
        blue.until(lambda: blue.keys)
        for one, other in ((blue, red), (red, blue)):
            while not other.keys:
                one.take(one.keys[-1])
                other.until(lambda other=other, one=one: other.choice == one.choice)
    send(online, post, 200)
    assert len(post.letters) == 2


def test_who_gives_an_address_while_he_plays_is_told(online, anna, bert, post):
    id = online.game(anna, bert)
    with anna.looks(id, "red") as red:
        red.take("march red.H1", "to ford", "stop")
        wishes_mail(online, bert, "bert@example.org")
        while red.keys:
            red.take(red.keys[-1])
    send(online, post, 61)
    assert len(post.letters) == 1
