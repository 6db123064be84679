"""Clocks of a stored table: choices, undo alone and by agreement, redo, and rooms opened again in
between."""

import random
import time

import pytest

from rulekit.common.errors import IllegalChoice, RulekitError
from rulekit.server.online import clock_updates, scheduler
from rulekit.server.online.clock import turns_of
from rulekit.server.online.process_uptime import Alive
from rulekit.server.online.seating import load
from rulekit.server.room_loader import reopened
from tests.server.table_clients import LIBRARY


class At:
    """A table with a clock that advances on request."""

    def __init__(self, online, id, monkeypatch):
        self.site, self.id = online.site, id
        self.now, self.lived = self.kept.clocks.since, 0.0
        self.site.alive = Alive(lambda: self.lived)
        monkeypatch.setattr(time, "time", lambda: self.now)
        scheduler.beat(self.site, self.now)
        self.used, self.used_at, self.most, self.undone = {}, {}, {}, []
        self.opens()

    def opens(self):
        """Open the table in another process, or in the same one after a restart."""
        self.room = reopened(
            self.site.store, self.site.store.row(self.id), LIBRARY, self.site.hub.policy
        )

    @property
    def kept(self):
        with self.site.store.reading() as db:
            return load(db, self.id)

    @property
    def asked(self):
        return self.room.state.decision and self.room.state.decision.player

    def waits(self, seconds):
        """Wait with a running server, but not until a flag falls."""
        clocks = self.kept.clocks
        if clocks.running is not None:
            seconds = max(0.0, min(seconds, clocks.now(self.now)[clocks.running] - 0.01))
            self.used[clocks.running] = self.used.get(clocks.running, 0.0) + seconds
            at = self.room.choices, clocks.running
            self.used_at[at] = self.used_at.get(at, 0.0) + seconds
        self.now += seconds
        self.lived += seconds
        scheduler.beat(self.site, self.now)

    def downtime(self):
        """Let an hour pass without a server. The next one moves the clocks, whatever a process knew
        before."""
        self.now += 3600
        scheduler.beat(self.site, self.now)

    def does(self, act, *args):
        """Act like a page. An illegal action is refused and changes nothing."""
        try:
            act(*args)
        except IllegalChoice:
            return
        except clock_updates.NotStored:  # nobody can return to a position without time left
            self.opens()
            return

    def step(self, chance):
        kind = chance.choice(
            (
                "waits",
                "waits",
                "chooses",
                "chooses",
                "chooses",
                "undoes",
                "undoes",
                "redoes",
                "agrees",
                "opens",
                "downtime",
            )
        )
        room, sides = self.room, ("red", "blue") if "red" in self.room.seats else ("x", "o")
        if kind == "waits":
            self.waits(chance.choice((0.1, 1.0, 5.0, 25.0)))
        elif kind == "chooses" and self.asked:
            options = [option.key for option in room.state.decision.options]
            self.does(room.take, self.asked, room.choices, [chance.choice(options)])
        elif kind in ("undoes", "redoes"):
            self.does(
                room.undo if kind == "undoes" else room.redo, chance.choice(sides), room.choices
            )
        elif kind == "agrees" and room.choices:
            self.does(room.take_back, chance.randrange(room.choices), chance.choice(sides))
        elif kind == "opens":
            self.opens()
        elif kind == "downtime":
            self.downtime()

    def holds(self):
        """Check that nobody has more time than their choices earn."""
        hosted, names = self.kept, self.room.state.names
        left, rule = hosted.clocks.now(self.now), hosted.rule
        turns = turns_of([names.sides[mark.chooser] for mark in self.room.state.marks], self.asked)
        for side in left:
            self.most[side] = max(self.most.get(side, 0), turns.get(side, 0))
            used = self.used.get(side, 0.0)
            if rule.each:
                at = self.used_at.get((self.room.choices, side), 0.0)
                assert (
                    at + (left[side] if side == hosted.clocks.running else 0.0)
                    <= rule.seconds + 0.1
                )
            else:
                assert (
                    left[side]
                    <= max(0.0, rule.seconds + rule.more * turns.get(side, 0) - used) + 0.1
                )
                assert used + left[side] <= rule.seconds + rule.more * self.most[side] + 0.1


@pytest.mark.parametrize("late", ["loses", "claim"])
@pytest.mark.parametrize("rule", ["move:8", "days:1", "fischer:20+10", "fischer:60+0"])
@pytest.mark.parametrize(
    ("game", "mine", "other"), [("tic_tac_toe", "x", "o"), ("skirmish", "red", "blue")]
)
def test_nobody_gains_time_at_a_table(online, monkeypatch, game, mine, other, rule, late):
    anna, bert = online.new("Anna"), online.new("Bert")
    for number in range(3):
        with monkeypatch.context() as patched:
            id = anna.opens(game=game, mine=[mine], clock=rule, late=late, seed=str(number))
            assert bert.post(f"/api/invitations/{anna.invites(id, other)}").status_code == 200
            at, chance = At(online, id, patched), random.Random(number)
            for _ in range(25):
                try:
                    at.step(chance)
                except RulekitError as error:
                    assert at.room.over, error
                    break
                at.holds()


def test_choosing_and_taking_back_does_not_fill_a_clock(online, anna, bert, monkeypatch):
    """A player who thinks about one choice has the time of one choice."""
    id = anna.opens(game="tic_tac_toe", mine=["x"], clock="move:6", late="loses")
    assert bert.post(f"/api/invitations/{anna.invites(id, 'o')}").status_code == 200
    at = At(online, id, monkeypatch)
    for _ in range(2):
        at.waits(2)
        at.room.take("x", 0, ["mark b2"])
        assert at.kept.clocks.running == "o"
        at.room.undo("x", 1)
    assert at.kept.clocks.now(at.now)["x"] == pytest.approx(2)
    at.now += 2.1
    with pytest.raises(RulekitError, match="over"):
        at.room.take("x", 0, ["mark b2"])
    scheduler.fall(online.site, at.now)
    assert anna.table_status(id)["ending"] == {"kind": "time", "side": "x"}


def test_nobody_goes_back_to_where_the_clock_has_nothing_left(online, anna, bert, monkeypatch):
    """The time earned by a choice is undone with it. A player who has used it would lose at
    once."""
    id = anna.opens(game="tic_tac_toe", mine=["x"], clock="fischer:5+30", late="loses")
    assert bert.post(f"/api/invitations/{anna.invites(id, 'o')}").status_code == 200
    at = At(online, id, monkeypatch)
    at.waits(2)
    at.room.take("x", 0, ["mark b2"])
    at.room.take("o", 1, ["mark a1"])
    at.waits(20)
    with pytest.raises(clock_updates.NotStored, match="x would have no time left there"):
        at.room.take_back(0, "o")
    at.opens()
    assert at.room.choices == 2 and at.kept.clocks.now(at.now)["x"] == pytest.approx(13)


def test_a_process_that_slept_gives_no_time_and_takes_none(online, anna, bert, monkeypatch):
    """Another process has moved the clocks in the meantime, and the stored values count."""
    id = anna.opens(game="tic_tac_toe", mine=["x"], clock="fischer:60+0")
    assert bert.post(f"/api/invitations/{anna.invites(id, 'o')}").status_code == 200
    at = At(online, id, monkeypatch)
    at.waits(10)
    at.downtime()
    at.room.take("x", 0, ["mark b2"])
    assert at.kept.clocks.now(at.now) == {"x": pytest.approx(50), "o": pytest.approx(60)}
