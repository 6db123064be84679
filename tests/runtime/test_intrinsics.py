"""Masks, layers, groups, scripts: each function against a plain implementation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulekit.compiler.backends.python.values import PythonValueWriter
from rulekit.compiler.ir.values import Local
from rulekit.compiler.lowering import constant_folding
from rulekit.compiler.lowering.unit import const, known
from rulekit.runtime import effects, intrinsics
from rulekit.runtime.slots import COUNTER, FIRST_SLOT, SCRIPT

masks = st.integers(min_value=1, max_value=1 << 150)


def plain(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


@given(masks)
def test_nth_counts_the_members(mask: int) -> None:
    assert (
        [intrinsics.nth(mask, k) for k in range(mask.bit_count())]
        == plain(mask)
        == intrinsics.members(mask)
    )


@given(
    st.lists(masks, min_size=1, max_size=4), st.floats(min_value=0, max_value=1, exclude_max=True)
)
def test_a_sample_is_one_of_the_options(found: list[int], u: float) -> None:
    layers = [(1 + 200 * i, m) for i, m in enumerate(found)]
    ids = intrinsics.ids(layers)
    assert intrinsics.count(layers) == len(ids)
    assert intrinsics.sample(layers, u) == ids[int(u * len(ids))]
    assert all(intrinsics.offers(layers, i) for i in ids)
    assert not intrinsics.offers(layers, 0)


@given(st.lists(st.integers(min_value=1, max_value=1000), max_size=6))
def test_a_script_is_used_before_the_generator(values: list[int]) -> None:
    s = [0] * FIRST_SLOT
    s[SCRIPT] = intrinsics.script(values)
    assert intrinsics.scripted(s) == len(values)
    assert [intrinsics.roll(s, 1, 1000) for _ in values] == values
    assert s[COUNTER] == 0
    assert 1 <= intrinsics.roll(s, 2, 6) <= 12
    assert s[COUNTER] == 2


@given(st.lists(st.integers(min_value=0, max_value=200), max_size=6))
def test_lists_are_packed(values: list[int]) -> None:
    code, found = effects.packed(values), []
    while code:
        found.append((code & 0xFFFF) - 2)
        code >>= 16
    assert found == values


@given(st.lists(st.integers(min_value=-1, max_value=5), max_size=6))
def test_who_is_there_is_packed_once(values: list[int]) -> None:
    assert effects.packed_there(values) == effects.packed(
        list(dict.fromkeys(v for v in values if v >= 0))
    )


@given(
    st.integers(min_value=1, max_value=255),
    st.integers(min_value=0, max_value=8),
    st.integers(min_value=0, max_value=8),
)
def test_every_group_arises_once(source: int, low: int, high: int) -> None:
    high = min(high, source.bit_count())
    low = min(low, high)
    found: list[int] = []

    def grow(picked: int) -> None:
        if picked.bit_count() >= low:
            found.append(picked)
        for i in plain(effects.group_mask(source, picked, low, high)):
            grow(picked | 1 << i)

    grow(0)
    wanted = [g for g in range(source + 1) if g & ~source == 0 and low <= g.bit_count() <= high]
    assert sorted(found) == wanted


@given(
    st.lists(st.integers(min_value=0, max_value=4), min_size=4, max_size=4),
    st.integers(min_value=0, max_value=15),
    st.integers(min_value=-1, max_value=2),
)
def test_an_index_follows_its_cell(values: list[int], group: int, value: int) -> None:
    kinds = 3
    s = [min(v, kinds) if v < kinds else -1 for v in values] + [0] * (kinds + 1)
    for i, v in enumerate(s[:4]):
        s[4 + (v if v >= 0 else kinds)] |= 1 << i
    before, trail = s[:], [0] * 0
    effects.put_group(s, None, trail, 0, 4, kinds, group, value)
    effects.put_both(s, None, trail, 0, 4, kinds, 2, 1)
    for i in range(4):
        assert s[i] == (1 if i == 2 else value if group >> i & 1 else before[i])
        assert [v for v in range(kinds + 1) if s[4 + v] >> i & 1] == [s[i] if s[i] >= 0 else kinds]
    while trail:
        old = trail.pop()
        s[trail.pop()] = old
    assert s == before


def test_a_ratio_that_is_a_column_is_that_column() -> None:
    """This holds for both roundings and for unreduced ratios. Ratios between columns go up or down,
    and those beyond go to the end."""
    columns = [(1, 2), (1, 1), (3, 2), (3, 1)]
    for rounding in ("up", "down"):
        for at, (n, d) in enumerate(columns):
            assert [
                intrinsics.ratio_column(columns, rounding, n * k, d * k) for k in (1, 2, 7)
            ] == [at] * 3
        assert (
            intrinsics.ratio_column(columns, rounding, 1, 9) == 0
            and intrinsics.ratio_column(columns, rounding, 9, 1) == 3
        )
    assert [
        intrinsics.ratio_column(columns, "up", 4, 3),
        intrinsics.ratio_column(columns, "down", 4, 3),
    ] == [2, 1]
    for rounding in ("up", "down"):  # x to 0 is above all columns, 0 to x and 0 to 0 are below
        assert [
            intrinsics.ratio_column(columns, rounding, n, d)
            for n, d in ((1, 0), (9, 0), (0, 1), (0, 0), (-1, 0), (-2, 3), (1, -1))
        ] == [3, 3, 0, 0, 0, 0, 3]


def test_a_division_rounds_as_it_says_on_both_sides_of_zero() -> None:
    """Down is to the lesser number and up to the greater, for negative numbers too. Large numbers
    are exact."""
    large = 3 << 60
    for a, b, down, up in (
        (7, 2, 3, 4),
        (-7, 2, -4, -3),
        (7, -2, -4, -3),
        (-7, -2, 3, 4),
        (6, 3, 2, 2),
        (-6, 3, -2, -2),
        (0, 5, 0, 0),
        (large + 1, 3, 1 << 60, (1 << 60) + 1),
    ):
        assert (intrinsics.div_down(a, b), intrinsics.div_up(a, b)) == (down, up)
        folded = [known(constant_folding.arith(op, const(a), const(b))) for op in ("down", "up")]
        emitted = [
            eval(
                PythonValueWriter().text(constant_folding.arith(op, Local("a"), const(b))), {"a": a}
            )
            for op in ("down", "up")
        ]
        assert folded == emitted == [down, up]
