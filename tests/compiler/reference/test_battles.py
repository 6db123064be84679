"""The two worked battles of Athens & Sparta in the reference interpreter."""

from __future__ import annotations

from rulekit.compiler.reference.interpreter import Reference
from tests.compiler.reference.reference_games import choose, model_of, script, words


def strengths(reference: Reference) -> dict[str, int]:
    """Return the strength of every block on the map."""
    blocks = reference.model.kinds["Block"]
    cells = reference.cells()
    return {
        n: cells["Block.strength"][i]
        for i, n in enumerate(blocks.members)
        if cells["Block.hex"][i] >= 0
    }


def test_chios() -> None:
    reference = Reference(
        model_of("tests/fixtures/blocks"), "chios", dice=[1, 2, 1, 5, 4, 2, 1, 2, 3, 1]
    )
    script(
        reference,
        """
        athens: engage; engage; engage
        athens: attack
        sparta: b sparta.N3
        sparta: b sparta.N1; attack
        sparta: attack
        athens: attack
    """,
    )
    assert strengths(reference) == {
        "athens.N1": 1,
        "athens.H1": 2,
        "athens.H2": 1,
        "sparta.N1": 1,
        "sparta.N2": 1,
        "sparta.P1": 2,
    }
    script(
        reference,
        """
        sparta: b sparta.N1; attack
        sparta: join_land_battle
        sparta: attack
        athens: b athens.H1
        athens: attack
        sparta: attack
        sparta: stay; stay; stay
        sparta: b sparta.P1; b sparta.P1
    """,
    )
    assert reference.over
    # by the arithmetic of the example two navies survive, but its text lists one
    assert strengths(reference) == {"sparta.N1": 1, "sparta.N2": 1, "sparta.P1": 3}
    assert reference.machine.chance.script == []


def test_amphipolis() -> None:
    dice = [4, 5, 1, 3, 4, 6, 2, 5, 3, 4, 5, 6, 2, 3, 6, 1, 4, 5, 6, 1, 3]
    reference = Reference(model_of("tests/fixtures/blocks"), "amphipolis", dice=dice)
    script(
        reference,
        """
        athens: engage; engage
        athens: attack
        sparta: attack
        athens: attack
        sparta: b sparta.P2
        sparta: attack
        athens: b athens.H3
    """,
    )
    assert strengths(reference) == {"athens.H3": 1, "athens.P1": 1, "sparta.H1": 4, "sparta.P2": 3}
    script(
        reference,
        """
        athens: withdraw
        sparta: attack
        athens: withdraw
        sparta: storm
        sparta: attack
        athens: b athens.P1
    """,
    )
    assert strengths(reference) == {"athens.H3": 1, "sparta.H1": 4, "sparta.P2": 3}
    target = next(t for t in reference.model.totals if t.name == "attrition_target")
    blocks, hexes = reference.model.kinds["Block"].members, reference.model.kinds["Hex"].members
    attacker = reference.explain(target, [blocks.index("sparta.H1"), hexes.index("amphipolis")])
    defender = reference.explain(target, [blocks.index("athens.H3"), hexes.index("amphipolis")])
    assert (attacker.value, defender.value) == (4, 5)  # a half siege
    assert [
        (line.clause.name, line.status) for line in defender.lines if line.status == "applied"
    ] == [("half_siege", "applied")]
    script(reference, "sparta: stay; stay")
    assert reference.over and strengths(reference) == {
        "athens.H3": 1,
        "sparta.H1": 4,
        "sparta.P2": 3,
    }
    assert reference.machine.chance.script == []


def test_order_of_letters() -> None:
    """Hoplite and peltast attack a hoplite and a navy. The order is the peltast, the defending
    hoplite, the attacking one, the navy."""
    reference = Reference(model_of("tests/fixtures/blocks"), "order", dice=[6, 6, 6, 6])
    script(
        reference,
        """
        athens: engage; engage
        athens: join_land_battle
        sparta: attack
        athens: attack
        sparta: attack
        athens: attack
    """,
    )
    blocks = reference.model.kinds["Block"].members
    spent = [blocks[args[0]] for name, args in reference.events if name == "spent"]
    assert spent == ["sparta.P2", "athens.H3", "sparta.H1", "athens.N1"]


def test_a_sally_ends_inside_again() -> None:
    """The relief force must engage, and sallying armies may not retreat. After the second round
    both return to their places."""
    reference = Reference(model_of("tests/fixtures/blocks"), "siege", dice=[6] * 18 + [1] * 2)
    script(reference, "sparta: stay; sally_forth")
    seen = set()
    while reference.decision is not None:
        texts = [words(reference, offer) for offer in reference.decision.offers]
        seen.update(texts)
        choose(
            reference,
            ["athens", "sparta"][reference.decision.who],
            "attack" if "attack" in texts else texts[0],
        )
    cells, blocks = reference.cells(), reference.model.kinds["Block"].members
    places = reference.model.kinds["Hex"].members
    where = {
        b: places[cells["Block.hex"][i]] for i, b in enumerate(blocks) if cells["Block.hex"][i] >= 0
    }
    assert where == {
        "athens.H3": "amphipolis",
        "athens.P1": "amphipolis",
        "sparta.H1": "amphipolis",
        "sparta.N1": "amphipolis",
        "sparta.C1": "eion",
    }
    assert cells["Block.inside"][blocks.index("sparta.H1")] == 1
    assert "withdraw" in seen and "retreat" in seen
