"""Names are visible and distinguishable."""

import random

import pytest

from rulekit.common.errors import RulekitError
from rulekit.server.database_schema import ACCOUNTS
from rulekit.server.online.accounts import look_at_names
from rulekit.server.online.display_names import look, tidy_name
from tests.server.visitors import PASSWORD

UNSEEN = [
    "\ufe0f",
    "\U000e0100",
    "\uffa0",
    "\u3164",
    "\u115f",
    "\u1160",
    "\u200b",
    "\u200d",
    "\u2060",
    "\ufeff",
    "\u00ad",
    "\u034f",
    "\u180b",
    "\u17b4",
    "\u2800",
    "\u202e",
    "\u2066",
    "\U000e0041",
    "\ue000",
    "\u0378",
    "\x7f",
    "\u20dd",
    "\U0001d159",
    "\U000e01ef",
]


@pytest.mark.parametrize("letter", UNSEEN, ids=ascii)
@pytest.mark.parametrize("name", ["Anna{}", "{}Anna", "An{}na", "{}"])
def test_a_letter_that_nobody_sees_is_in_no_name(name, letter):
    with pytest.raises(RulekitError, match="visible characters"):
        tidy_name(name.format(letter))


@pytest.mark.parametrize(
    "name", ["A" + "\u0301" * 5, "\u0301Anna", "...", "—", "★", " ", "A" * 41], ids=ascii
)
def test_a_heap_of_marks_or_no_letter_is_no_name(name):
    with pytest.raises(RulekitError, match="visible characters"):
        tidy_name(name)


@pytest.mark.parametrize(
    "name",
    ["Аnna", "Annа", "Αnna", "Peter Пётр", "Anna \u05d0", "Αнна", "Ꭺnna", "Anna\u0561"],
    ids=ascii,
)
def test_letters_of_two_scripts_make_no_name(name):
    with pytest.raises(RulekitError, match="one script"):
        tidy_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Anna",
        "Zoë",
        "Łukasz",
        "Nguyễn Thị",
        "Пётр",
        "Ελένη",
        "יוסף",
        "محمد",
        "आशा",
        "ไก่",
        "山田 太郎",
        "タロウ San",
        "한국",
        "J. R.",
        "O'Neil",
        "R2D2",
        "Anna-Lena",
        "Anna 🎲",
    ],
)
def test_names_of_many_languages_are_names(name):
    assert tidy_name(f"  {name} ") == tidy_name(name) and look(name)


@pytest.mark.parametrize(
    "name",
    [
        "AIice",
        "A1ice",
        "Al\u0131ce",
        "AL1CE",
        "A|ice",
        "ＡＬＩＣＥ",
        "alice.",
        "Al ice",
        "'Alice'",
        "ᎪLICE".replace("Ꭺ", "A"),
        "ᴀʟɪᴄᴇ",
        "\U0001d400lice",
    ],
    ids=ascii,
)
def test_a_name_that_looks_like_alice_is_hers(online, name):
    online.new("Alice")
    answer = online.somebody().post("/api/accounts", {"name": name, "password": PASSWORD})
    assert answer.status_code == 400 and "looks like" in answer.json()["error"]


@pytest.mark.parametrize(
    "one, other",
    [
        ("ANNA", "ΑΝΝΑ"),
        ("Capa", "Сара"),
        ("Anna", "ꓮꓠꓠꓮ"),
        ("Bert0", "BertO"),
        ("Martin", "Rnartin"),
        ("modern", "rnodem"),
        ("AE", "Æ"),
    ],
    ids=ascii,
)
def test_whole_names_of_another_script_may_look_alike_too(online, one, other):
    online.new(other)
    assert (
        online.somebody().post("/api/accounts", {"name": one, "password": PASSWORD}).status_code
        == 400
    )


@pytest.mark.parametrize("name", ["Anne", "Änna", "Hanna", "Anna2", "Анна", "Nana", "Ann"])
def test_a_name_that_is_another_is_free(online, anna, name):
    assert (
        online.somebody().post("/api/accounts", {"name": name, "password": PASSWORD}).status_code
        == 201
    )


def test_a_guest_has_no_name_of_an_account_and_none_that_is_at_the_table(online, anna, bert):
    id, other = anna.opens(), bert.opens()
    watch = anna.invites(id)

    def comes(token, name):
        guest = online.somebody()
        return guest.post(f"/api/invitations/{token}", {"name": name}).status_code, guest

    assert comes(anna.invites(id, "blue"), "Gwen")[0] == 200
    for name in ("Bert", "bert", "BERT.", "Anna", "Gwen", "gwen", "G\u2060wen", "Gvven", "Gwen'"):
        assert comes(watch, name)[0] == 400, name
    code, carl = comes(watch, "Carl")
    assert (
        code == 200
        and comes(watch, "CarI")[0] == 400
        and comes(bert.invites(other), "Gwen")[0] == 200
    ), "at another table she may be called so"
    wishes = {"mail": None, "hook": None, "lang": "en"}
    assert [
        carl.put("/api/me", {**wishes, "name": name}).status_code
        for name in ("Anna", "gwen", "Caro")
    ] == [400, 400, 200]
    assert carl.post("/api/accounts", {"name": "Аnna", "password": PASSWORD}).status_code == 400
    assert carl.post("/api/accounts", {"name": "Caro", "password": PASSWORD}).status_code == 201


def test_who_signs_in_is_looked_for_by_the_name_not_by_its_look(online):
    online.new("Alice")
    assert (
        online.somebody().post("/api/session", {"name": "ALICE", "password": PASSWORD}).status_code
        == 200
    )
    assert (
        online.somebody().post("/api/session", {"name": "AIlce", "password": PASSWORD}).status_code
        == 401
    )


def test_names_that_were_kept_before_are_looked_at_when_the_server_starts(online, anna):
    with online.site.store.begin() as db:
        db.execute(ACCOUNTS.update().values(look=None))
    assert (
        online.somebody().post("/api/accounts", {"name": "Anna.", "password": PASSWORD}).status_code
        == 201
    )
    with online.site.store.begin() as db:
        look_at_names(db)
    assert (
        online.somebody()
        .post("/api/accounts", {"name": "Anna..", "password": PASSWORD})
        .status_code
        == 400
    )


def drawn_names(many, seed):
    """Return a number of random accepted names, with letters of all kinds."""
    draw, found = random.Random(seed), {}
    blocks = [
        (0x20, 0x7F),
        (0xA0, 0x24F),
        (0x370, 0x3FF),
        (0x400, 0x4FF),
        (0x5D0, 0x5EA),
        (0x620, 0x64A),
        (0x900, 0x97F),
        (0xE00, 0xE5B),
        (0x1E00, 0x1FFF),
        (0x3041, 0x30FF),
        (0x4E00, 0x9FFF),
        (0xAC00, 0xD7A3),
        (0xFB00, 0xFB06),
        (0xFDF0, 0xFDFB),
        (0x1D400, 0x1D7FF),
        (0x1F300, 0x1F64F),
        (0x20000, 0x20100),
    ]
    while len(found) < many:
        first, last = draw.choice(blocks)
        letters = [
            (
                chr(draw.randint(first, last))
                if draw.random() < 0.9
                else draw.choice("'\"<>&%_\\-. 1\u0301")
            )
            for _ in range(draw.choice([1, 3, 8, 20, 40]))
        ]
        try:
            name = tidy_name("".join(letters))
        except RulekitError:
            continue
        found.setdefault(look(name), name)
    return list(found.values())


def test_a_thousand_accepted_names_are_used_everywhere_without_an_error(everywhere):
    """Each of them creates an account, opens a table, chats, and is found, listed and exported."""
    from rulekit.server.online.admin import make_admin

    olga = everywhere.new("Olga")
    make_admin(everywhere.site.store, "Olga")
    names = [name for name in drawn_names(1000, 425) if look(name) != look("Olga")]
    for n, name in enumerate(names):
        who = everywhere.somebody()
        answer = who.post("/api/accounts", {"name": name, "password": PASSWORD})
        assert answer.status_code == 201 and answer.json()["name"] == name, (
            ascii(name),
            answer.text,
        )
        found = olga.client.get(
            "/api/admin/accounts",
            params={"like": name},
            headers={"cookie": olga.cookie, "origin": "http://table.test"},
        )
        assert found.status_code == 200 and name in [each["name"] for each in found.json()], ascii(
            name
        )
        if n % 20 == 0:
            id = who.opens(access="public")
            assert who.post(
                f"/api/tables/{id}/chat",
                {"room": "observers" if n % 40 else "players", "text": name},
            ).status_code in (201, 403)
            with who.looks(id) as page:
                page.until_told("present")
            assert (
                who.table_status(id)["owner"] == name
                and who.get("/api/me/export").json()["name"] == name
            )
    assert everywhere.somebody().get("/api/tables?which=open").status_code == 200
