"""Watched slots: the hidden values that are read, and when."""

from __future__ import annotations

from rulekit.engine.knowledge.world_enumeration import Watched, WorldGroup, watched


def slots() -> tuple[Watched, list[tuple[int, ...]], list[int]]:
    """Return five slots with a log and a trail. The second holds two hidden values, and the fourth
    a third one."""
    made, log = Watched.of([10, 11, 12, 13, 14], {1: [0, 1], 3: [2]}), list[tuple[int, ...]]()
    return made, log, watched(made, log, [])


def test_a_value_is_read_once_and_first() -> None:
    made, log, _ = slots()
    assert made[0] + made[2] + made[-1] == 36 and made.read == {}
    log.append((1,))
    assert made[3] == 13
    log.append((2,))
    assert (
        made[3] + made[1] == 24
        and made.read == {2: 1, 0: 2, 1: 2}
        and list(made.found) == [2, 0, 1]
    )
    assert (
        WorldGroup(None, (0, 2)).known(made) == 1
        and WorldGroup(None, (0,)).known(made) == 2
        and WorldGroup(None).known(made) is None
    )


def test_a_part_reads_what_is_in_it_and_a_copy_reads_for_itself() -> None:
    made, _, _ = slots()
    assert made[2:3] == [12] and made.read == {}
    other = made[:]
    assert isinstance(other, Watched) and other[3:] == [13, 14]
    assert (other.read, made.read, list(made.found)) == ({2: 0}, {}, [2])


def test_what_is_kept_to_be_put_back_is_not_read() -> None:
    """This is the old value of a written slot. The inputs of the new value are read. A written
    value is known."""
    made, _, trail = slots()
    trail += (3, made[3], 0, made[0], 1, made[1])
    made[3] = 5
    assert list(trail) == [3, 13, 0, 10, 1, 11] and made.read == {} and list(made.found) == []
    assert made[3] == 5 and made[:][3] == 5 and made.read == {}
    trail += (1, made[1])
    made[1] = made[1] + 1
    assert made.read == {0: 0, 1: 0}


def test_a_part_that_is_written_is_known() -> None:
    made, _, _ = slots()
    made[2:4] = [0, 0]
    assert made[3] == 0 and made.read == {}


def test_other_slots_have_a_plain_trail() -> None:
    trail: list[int] = []
    assert watched([1, 2], [], trail) is trail
