"""Takes the name of a part of the runtime and numbers, makes its WebAssembly: random results,
arithmetic, sets and lists.

Each does what the function of the same name in `rulekit.runtime.intrinsics` or `effects` does. w:
the words of its masks.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.backends.wasm.context import Maker
from rulekit.compiler.backends.wasm.fuel import MUCH
from rulekit.compiler.backends.wasm.memory import SCRATCH, SEEN
from rulekit.runtime.slots import COUNTER, SEED


def params(name: str, w: int) -> str:
    return " ".join(f"(param ${name}{j} i64)" for j in range(w))


def locals(name: str, w: int) -> str:
    return " ".join(f"(local ${name}{j} i64)" for j in range(w))


def results(w: int) -> str:
    return " ".join(["(result i64)"] * w)


def gets(name: str, w: int) -> str:
    return " ".join(f"(local.get ${name}{j})" for j in range(w))


def added(parts: list[str], op: str = "i64.add") -> str:
    made = parts[0]
    for part in parts[1:]:
        made = f"({op} {made} {part})"
    return made


def counted(name: str, w: int) -> str:
    """How many members."""
    return added([f"(i64.popcnt (local.get ${name}{j}))" for j in range(w)])


def united(parts: list[str]) -> str:
    return added(parts, "i64.or")


def some(name: str, w: int) -> str:
    return united([f"(local.get ${name}{j})" for j in range(w)])


def length(name: str, w: int) -> str:
    """The number of bits up to the last."""
    made = f"(i64.sub (i64.const 64) (i64.clz (local.get ${name}0)))"
    for j in range(1, w):
        own = f"(i64.sub (i64.const {64 * j + 64}) (i64.clz (local.get ${name}{j})))"
        made = f"(select {own} {made} (i64.ne (local.get ${name}{j}) (i64.const 0)))"
    return made


def fixed(maker: Maker) -> str:
    """What every module has."""
    mem = maker.mem
    seed, counter = mem.address[SEED], mem.address[COUNTER]
    layer = 8 + 8 * mem.layer_words
    stores = " ".join(
        f"(i64.store offset={8 + 8 * j} (global.get $layer_end) (local.get $m{j}))"
        for j in range(mem.layer_words)
    )
    return f"""
(func $mix (param $s i64) (param $c i64) (result i64) (local $x i64)
 (local.set $x (i64.add (local.get $s) (i64.mul (i64.add (local.get $c) (i64.const 1)) (i64.const -7046029254386353131))))
 (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 30))) (i64.const -4658895280553007687)))
 (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 27))) (i64.const -7723592293110705685)))
 (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 31))))
(func $nth (param $m i64) (param $k i64) (result i64)
 (block $b (loop $l (br_if $b (i64.eqz (local.get $k)))
  (local.set $m (i64.and (local.get $m) (i64.sub (local.get $m) (i64.const 1))))
  (local.set $k (i64.sub (local.get $k) (i64.const 1))) (br $l)))
 (i64.ctz (local.get $m)))
(func $spent (param $place i64) {fail(maker, "steps", place="(local.get $place)")})
(func $roll (param $n i64) (param $f i64) (result i64) (local $t i64)
 (if (i64.gt_s (local.get $n) (i64.const {MUCH // 32})) (then
  (global.set $fuel (i64.sub (global.get $fuel) (local.get $n)))
  (if (i64.lt_s (global.get $fuel) (i64.const 0)) (then (call $spent (i64.const 0))))))
 (block $b (loop $l (br_if $b (i64.le_s (local.get $n) (i64.const 0)))
  (local.set $t (i64.add (local.get $t) (i64.add (i64.const 1) (i64.rem_u (call $random) (local.get $f)))))
  (local.set $n (i64.sub (local.get $n) (i64.const 1))) (br $l)))
 (local.get $t))
(func $random (result i64) (local $c i64)
 (local.set $c (i64.load offset={counter} (i32.const 0)))
 (i64.store offset={counter} (i32.const 0) (i64.add (local.get $c) (i64.const 1)))
 (call $mix (i64.load offset={seed} (i32.const 0)) (local.get $c)))
(func $fail (param $code i64) (param $a i64) (param $b i64) (param $c i64) (param $d i64) (param $place i64)
 (global.set $failure (local.get $code)) (global.set $fail_a (local.get $a)) (global.set $fail_b (local.get $b))
 (global.set $fail_c (local.get $c)) (global.set $fail_d (local.get $d)) (global.set $fail_place (local.get $place)) unreachable)
(func $tick (param $place i64)
 (global.set $ticks (i64.sub (global.get $ticks) (i64.const 1)))
 (if (i64.lt_s (global.get $ticks) (i64.const 0)) (then {fail(maker, "steps", place="(local.get $place)")})))
(func $no_layers (global.set $layer_end (i32.const {mem.layers})))
(func $layer (param $base i64) {params("m", mem.layer_words)}
 (if (i32.ge_u (global.get $layer_end) (i32.const {mem.results - layer})) (then {fail(maker, "options")}))
 (i64.store (global.get $layer_end) (local.get $base)) {stores}
 (global.set $layer_end (i32.add (global.get $layer_end) (i32.const {layer}))))
"""


def fail(maker: Maker, what: str, *args: str, place: str = "(i64.const 0)") -> str:
    """Ends play with an error."""
    given = [*args, *["(i64.const 0)"] * (4 - len(args))]
    return f"(call $fail (i64.const {maker.failure(what)}) {' '.join(given)} {place})"


# ------------------------------------------------------------------------------------------------ n
_WIDE = {
    "plus": (
        """(local.set $r (i64.add (local.get $a) (local.get $b)))
 (local.set $over (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $r)) (i64.xor (local.get $b) (local.get $r))) (i64.const 0)))"""
    ),
    "minus": (
        """(local.set $r (i64.sub (local.get $a) (local.get $b)))
 (local.set $over (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $b)) (i64.xor (local.get $a) (local.get $r))) (i64.const 0)))"""
    ),
    "times": (
        """(local.set $r (i64.mul (local.get $a) (local.get $b)))
 (if (i64.ne (i64.shr_u (i64.or (i64.add (local.get $a) (i64.const 0x40000000)) (i64.add (local.get $b) (i64.const 0x40000000)))
   (i64.const 31)) (i64.const 0))
  (then (if (i64.ne (local.get $a) (i64.const 0)) (then (local.set $over
   (if (result i32) (i32.and (i64.eq (local.get $a) (i64.const -1)) (i64.eq (local.get $b) (i64.const 0x8000000000000000)))
    (then (i32.const 1)) (else (i64.ne (i64.div_s (local.get $r) (local.get $a)) (local.get $b)))))))))"""
    ),
}


def _tested(maker: Maker, title: str, op: str, failure: str, more: str = "") -> str:
    return f"""(func {title} (param $a i64) (param $b i64) (param $place i64) (result i64) (local $r i64) (local $over i32)
 {_WIDE[op]}
 (if (local.get $over) (then {fail(maker, failure, place="(local.get $place)")})) {more}
 (local.get $r))"""


def plus(maker: Maker) -> str:
    return _tested(maker, "$plus", "plus", "wide")


def minus(maker: Maker) -> str:
    return _tested(maker, "$minus", "minus", "wide")


def times(maker: Maker) -> str:
    return _tested(maker, "$times", "times", "wide")


def small(maker: Maker, op: str) -> str:
    """A result that goes into the state."""
    most = "(i64.const 0x4000000000000000)"
    tested = f"""(if (i32.or (i64.ge_s (local.get $r) {most}) (i64.le_s (local.get $r) (i64.sub (i64.const 0) {most})))
  (then {fail(maker, "small", place="(local.get $place)")}))"""
    return _tested(maker, maker.title("small", op), op, "small", tested)


def fdiv(maker: Maker) -> str:
    return f"""(func $fdiv (param $a i64) (param $b i64) (result i64)
 (if (i64.eq (local.get $b) (i64.const -1)) (then (return (call {maker.need("minus")} (i64.const 0) (local.get $a) (i64.const 0)))))
 (i64.sub (i64.div_s (local.get $a) (local.get $b))
  (i64.extend_i32_u (i32.and (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0))
   (i64.ne (i64.rem_s (local.get $a) (local.get $b)) (i64.const 0))))))"""


def fmod(maker: Maker) -> str:
    return f"""(func $fmod (param $a i64) (param $b i64) (result i64)
 (i64.sub (local.get $a) (i64.mul (call {maker.need("fdiv")} (local.get $a) (local.get $b)) (local.get $b))))"""


def div(maker: Maker) -> str:
    return f"""(func $div (param $a i64) (param $b i64) (param $up i64) (param $place i64) (result i64)
 (if (i64.eqz (local.get $b)) (then {fail(maker, "division", place="(local.get $place)")}))
 (if (result i64) (i64.eqz (local.get $up)) (then (call {maker.need("fdiv")} (local.get $a) (local.get $b)))
  (else (i64.sub (i64.const 0)
   (call $fdiv (call {maker.need("minus")} (i64.const 0) (local.get $a) (local.get $place)) (local.get $b))))))"""


def below(maker: Maker) -> str:
    """The lowest n bits of a word, of n below 0 none, beyond 63 all."""
    return """(func $below (param $n i64) (result i64)
 (select (select (i64.const -1) (i64.sub (i64.shl (i64.const 1) (local.get $n)) (i64.const 1)) (i64.ge_s (local.get $n) (i64.const 64)))
  (i64.const 0) (i64.gt_s (local.get $n) (i64.const 0))))"""


def shift(maker: Maker) -> str:
    return f"""(func $shift (param $m i64) (param $by i64) (param $top i64) (param $place i64) (result i64) (local $x i64)
 (if (i64.lt_s (local.get $m) (i64.const 0)) (then (return (local.get $m))))
 (local.set $x (call {maker.need("plus")} (local.get $m) (local.get $by) (local.get $place)))
 (if (i64.lt_s (local.get $x) (i64.const 0)) (then (return (i64.const 0))))
 (select (local.get $top) (local.get $x) (i64.gt_s (local.get $x) (local.get $top))))"""


def ratio_column(maker: Maker, up: int) -> str:
    """Of a table of ratios (rows of two) at an address."""
    name = maker.title("ratio_column", up)
    by = f"call {maker.need('times')}"
    step = f"""({by} (i64.load (local.get $p)) (local.get $d) (local.get $place))
  ({by} (local.get $n) (i64.load offset=8 (local.get $p)) (local.get $place))"""
    ends = """(if (i64.le_s (local.get $n) (i64.const 0)) (then (return (i64.const 0))))
 (if (i64.le_s (local.get $d) (i64.const 0)) (then (return (i64.sub (local.get $count) (i64.const 1)))))"""
    test, result = (
        ("i64.ge_s", "(return (local.get $i))")
        if up
        else ("i64.le_s", "(local.set $found (local.get $i))")
    )
    last = "(i64.sub (local.get $count) (i64.const 1))" if up else "(local.get $found)"
    return f"""(func {name} (param $p i32) (param $count i64) (param $n i64) (param $d i64) (param $place i64) (result i64)
 (local $i i64) (local $found i64)
 {ends}
 (loop $l (if ({test} {step}) (then {result}))
  (local.set $p (i32.add (local.get $p) (i32.const 16))) (local.set $i (i64.add (local.get $i) (i64.const 1)))
  (br_if $l (i64.lt_s (local.get $i) (local.get $count))))
 {last})"""


def ratios(maker: Maker) -> str:
    """Two ratios: -1, 0, 1 as the first is less, equal, greater."""
    tidy = "".join(
        f"""
 (if (i64.le_s (local.get ${n}) (i64.const 0)) (then (local.set ${n} (i64.const 0)) (local.set ${d} (i64.const 1)))
  (else (if (i64.le_s (local.get ${d}) (i64.const 0)) (then (local.set ${n} (i64.const 1)) (local.set ${d} (i64.const 0))))))"""
        for n, d in ("ab", "cd")
    )
    return f"""(func $ratios (param $a i64) (param $b i64) (param $c i64) (param $d i64) (param $place i64) (result i64)
 (local $x i64) (local $y i64) {tidy}
 (local.set $x (call {maker.need("times")} (local.get $a) (local.get $d) (local.get $place)))
 (local.set $y (call $times (local.get $c) (local.get $b) (local.get $place)))
 (i64.sub (i64.extend_i32_u (i64.gt_s (local.get $x) (local.get $y))) (i64.extend_i32_u (i64.lt_s (local.get $x) (local.get $y)))))"""


# ------------------------------------------------------------------------------------------------ s
def union(maker: Maker, stride: int, w: int, own: int) -> str:
    """The masks of `own` words, one every `stride` bytes, of the members of a set, united."""
    name = maker.title("union", stride, w, own)
    body = ""
    for j in range(w):
        take = " ".join(
            f"(local.set $o{k} (i64.or (local.get $o{k}) (i64.load offset={8 * k} (local.get $p))))"
            for k in range(own)
        )
        body += f"""
 (block $b{j} (loop $l{j} (br_if $b{j} (i64.eqz (local.get $m{j})))
  (local.set $p (i32.add (local.get $at) (i32.mul (i32.const {stride})
   (i32.add (i32.const {64 * j}) (i32.wrap_i64 (i64.ctz (local.get $m{j}))))))) {take}
  (local.set $m{j} (i64.and (local.get $m{j}) (i64.sub (local.get $m{j}) (i64.const 1)))) (br $l{j})))"""
    return (
        f"(func {name} (param $at i32) {params('m', w)} {results(own)} (local $p i32)"
        f" {locals('o', own)} {body} {gets('o', own)})"
    )


def members_at(maker: Maker, stride: int, w: int) -> str:
    """The members of a set whose slot has a value."""
    name = maker.title("members_at", stride, w)
    body = ""
    for j in range(w):
        body += f"""
 (block $b{j} (loop $l{j} (br_if $b{j} (i64.eqz (local.get $m{j})))
  (if (i64.eq (local.get $value) (i64.load (i32.add (local.get $at) (i32.mul (i32.const {stride})
   (i32.add (i32.const {64 * j}) (i32.wrap_i64 (i64.ctz (local.get $m{j}))))))))
   (then (local.set $o{j} (i64.or (local.get $o{j}) (i64.and (local.get $m{j}) (i64.sub (i64.const 0) (local.get $m{j})))))))
  (local.set $m{j} (i64.and (local.get $m{j}) (i64.sub (local.get $m{j}) (i64.const 1)))) (br $l{j})))"""
    return (
        f"(func {name} (param $at i32) {params('m', w)} (param $value i64) {results(w)}"
        f" {locals('o', w)} {body} {gets('o', w)})"
    )


def _above(maker: Maker, w: int) -> str:
    """What of the source lies above the last of those picked, into r."""
    cut = maker.need("below")
    return f"(local.set $L {length('p', w)})" + " ".join(
        f"(local.set $r{j} (i64.and (local.get $s{j}) (i64.xor (i64.const -1) (call {cut} (i64.sub"
        f" (local.get $L) (i64.const {64 * j}))))))"
        for j in range(w)
    )


def group_rest(maker: Maker, w: int) -> str:
    none = " ".join(["(i64.const 0)"] * w)
    alike = " ".join(
        f"(i64.and (local.get $s{j}) (i64.xor (i64.const -1) (local.get $p{j})))" for j in range(w)
    )
    return f"""(func {maker.title("group_rest", w)} {params("s", w)} {params("p", w)} (param $most i64) (param $alike i64) {results(w)}
 (local $L i64) {locals("r", w)}
 (if (i64.ge_s {counted("p", w)} (local.get $most)) (then {none} return))
 (if (i64.ne (local.get $alike) (i64.const 0)) (then {alike} return))
 {_above(maker, w)} {gets("r", w)})"""


def group_mask(maker: Maker, w: int) -> str:
    none = " ".join(["(i64.const 0)"] * w)
    move = " ".join(
        f"""(if (i64.ne (local.get $r{j}) (i64.const 0)) (then
   (local.set $o{j} (i64.or (local.get $o{j}) (i64.and (local.get $r{j}) (i64.sub (i64.const 0) (local.get $r{j})))))
   (local.set $r{j} (i64.and (local.get $r{j}) (i64.sub (local.get $r{j}) (i64.const 1)))) (br $n)))"""
        for j in range(w)
    )
    return f"""(func {maker.title("group_mask", w)} {params("s", w)} {params("p", w)} (param $least i64) (param $most i64) {results(w)}
 (local $L i64) (local $n i64) (local $spare i64) {locals("r", w)} {locals("o", w)}
 (local.set $n {counted("p", w)})
 (if (i64.ge_s (local.get $n) (local.get $most)) (then {none} return))
 {_above(maker, w)}
 (if (i64.le_s (local.get $least) (i64.add (local.get $n) (i64.const 1))) (then {gets("r", w)} return))
 (local.set $spare (i64.sub (i64.add (local.get $n) {counted("r", w)}) (local.get $least)))
 (if (i64.lt_s (local.get $spare) (i64.const 0)) (then (local.set $spare (i64.const 0))))
 (block $b (loop $l (br_if $b (i64.lt_s (local.get $spare) (i64.const 0)))
  (local.set $spare (i64.sub (local.get $spare) (i64.const 1)))
  (block $n {move}) (br $l)))
 {gets("o", w)})"""


def _class(name: str, w: int, masks: str) -> str:
    """What the class at p has of some masks, into a local."""
    return " ".join(
        f"(local.set ${name}{j} (i64.and (i64.load offset={8 * j} (local.get $p))"
        f" {masks.format(j=j)}))"
        for j in range(w)
    )


def first_class(maker: Maker, w: int) -> str:
    return f"""(func {maker.title("first_class", w)} (param $p i32) {params("m", w)} {results(w)} (local $end i32) {locals("o", w)}
 {_span(w)}
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  {_class("o", w, "(local.get $m{j})")} (br_if $b (i64.ne {some("o", w)} (i64.const 0)))
  (local.set $p (i32.add (local.get $p) (i32.const {8 * w}))) (br $l)))
 {gets("o", w)})"""


def _span(w: int) -> str:
    """p: the first mask of a list; end: behind the last."""
    return f"""(local.set $end (i32.add (i32.add (local.get $p) (i32.const 8))
  (i32.mul (i32.wrap_i64 (i64.load (local.get $p))) (i32.const {8 * w}))))
 (local.set $p (i32.add (local.get $p) (i32.const 8)))"""


def in_classes(maker: Maker, w: int) -> str:
    more = " ".join(["(i64.const 0)"] * (maker.mem.layer_words - w))
    return f"""(func {maker.title("in_classes", w)} (param $p i32) (param $base i64) {params("m", w)} (local $end i32) {locals("o", w)}
 {_span(w)}
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  {_class("o", w, "(local.get $m{j})")}
  (if (i64.ne {some("o", w)} (i64.const 0)) (then (call $layer (local.get $base) {gets("o", w)} {more})))
  (local.set $p (i32.add (local.get $p) (i32.const {8 * w}))) (br $l))))"""


def group_classes(maker: Maker, w: int) -> str:
    none = " ".join(["(i64.const 0)"] * w)
    free = "(i64.and (i64.xor (i64.const -1) (local.get $q{j})) (local.get $k{j}))"
    lowest = ""
    for j in range(w):
        own = (
            f"(i64.or (local.get $o{j}) (i64.and (local.get $f{j}) (i64.sub (i64.const 0)"
            f" (local.get $f{j}))))"
        )
        lowest += (
            f"(if (i64.ne (local.get $f{j}) (i64.const 0)) (then (local.set $o{j} {own}) (br $n)))"
        )
    return f"""(func {maker.title("group_classes", w)} (param $p i32) {params("q", w)} (param $least i64) (param $most i64) {params("k", w)}
 {results(w)} (local $end i32) (local $last i32) (local $n i64) (local $rest i64) {locals("f", w)} {locals("o", w)}
 (local.set $n {counted("q", w)})
 (if (i64.ge_s (local.get $n) (local.get $most)) (then {none} return))
 {_span(w)} (local.set $last (local.get $p))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  {_class("f", w, "(local.get $q{j})")} (if (i64.ne {some("f", w)} (i64.const 0)) (then (local.set $last (local.get $p))))
  (local.set $p (i32.add (local.get $p) (i32.const {8 * w}))) (br $l)))
 (local.set $rest (local.get $n)) (local.set $p (local.get $last))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  {_class("f", w, free)} (local.set $rest (i64.add (local.get $rest) {counted("f", w)}))
  (local.set $p (i32.add (local.get $p) (i32.const {8 * w}))) (br $l)))
 (if (i64.gt_s (local.get $least) (local.get $rest)) (then (local.set $least (local.get $rest))))
 (local.set $rest (local.get $n)) (local.set $p (local.get $end))
 (block $b (loop $l (br_if $b (i32.le_u (local.get $p) (local.get $last)))
  (local.set $p (i32.sub (local.get $p) (i32.const {8 * w})))
  {_class("f", w, free)} (local.set $rest (i64.add (local.get $rest) {counted("f", w)}))
  (if (i64.ge_s (local.get $rest) (local.get $least)) (then (block $n {lowest})))
  (br $l)))
 {gets("o", w)})"""


# ------------------------------------------------------------------------------------------------ s
def take(maker: Maker) -> str:
    return f"""(func $take (param $n i32) (result i32) (local $at i32)
 (local.set $at (global.get $bump)) (global.set $bump (i32.add (local.get $at) (local.get $n)))
 (if (i32.gt_u (global.get $bump) (i32.const {maker.mem.scratch + SCRATCH})) (then {fail(maker, "memory")}))
 (local.get $at))"""


def later(maker: Maker) -> str:
    return f"""(func $later (param $place i64) (param $left i64) (local $at i32) (local.set $at (call {maker.need("take")} (i32.const 16)))
 (i64.store (local.get $at) (local.get $place)) (i64.store offset=8 (local.get $at) (local.get $left)))"""


def met(maker: Maker) -> str:
    """Has a search been at a place with so much left? Now it has. (The table holds -1 where it is
    free.)"""
    return f"""(func $met (param $t i32) (param $place i64) (param $left i64) (result i32) (local $i i32) (local $n i32) (local $p i32)
 (local.set $i (i32.wrap_i64 (i64.add (i64.mul (local.get $place) (i64.const 61)) (local.get $left))))
 (loop $l
  (local.set $p (i32.add (local.get $t) (i32.shl (i32.and (local.get $i) (i32.const {SEEN // 16 - 1})) (i32.const 4))))
  (if (i64.eq (i64.load (local.get $p)) (i64.const -1)) (then
   (i64.store (local.get $p) (local.get $place)) (i64.store offset=8 (local.get $p) (local.get $left)) (return (i32.const 0))))
  (if (i32.and (i64.eq (i64.load (local.get $p)) (local.get $place)) (i64.eq (i64.load offset=8 (local.get $p)) (local.get $left)))
   (then (return (i32.const 1))))
  (local.set $i (i32.add (local.get $i) (i32.const 1))) (local.set $n (i32.add (local.get $n) (i32.const 1)))
  (br_if $l (i32.lt_u (local.get $n) (i32.const {SEEN // 16 - 8}))))
 {fail(maker, "memory")} (i32.const 0))"""


def sift(maker: Maker) -> str:
    """An entry goes down to its place among those before it, ordered by so many words."""
    return """(func $sift (param $first i32) (param $t i32) (param $entry i32) (param $words i32)
 (local $i i32) (local $a i64) (local $b i64)
 (block $done (loop $l
  (br_if $done (i32.le_u (local.get $t) (local.get $first)))
  (local.set $i (i32.const 0))
  (block $less (loop $k
   (br_if $done (i32.ge_u (local.get $i) (local.get $words)))
   (local.set $a (i64.load (i32.add (local.get $t) (i32.shl (local.get $i) (i32.const 3)))))
   (local.set $b (i64.load (i32.add (i32.sub (local.get $t) (local.get $entry)) (i32.shl (local.get $i) (i32.const 3)))))
   (br_if $less (i64.lt_s (local.get $a) (local.get $b)))
   (br_if $done (i64.gt_s (local.get $a) (local.get $b)))
   (local.set $i (i32.add (local.get $i) (i32.const 1))) (br $k)))
  (local.set $i (i32.const 0))
  (loop $swap
   (local.set $a (i64.load (i32.add (local.get $t) (local.get $i))))
   (i64.store (i32.add (local.get $t) (local.get $i)) (i64.load (i32.add (i32.sub (local.get $t) (local.get $entry)) (local.get $i))))
   (i64.store (i32.add (i32.sub (local.get $t) (local.get $entry)) (local.get $i)) (local.get $a))
   (local.set $i (i32.add (local.get $i) (i32.const 8))) (br_if $swap (i32.lt_u (local.get $i) (local.get $entry))))
  (local.set $t (i32.sub (local.get $t) (local.get $entry))) (br $l))))"""


def order(maker: Maker) -> str:
    return f"""(func $order (param $first i32) (param $count i32) (param $entry i32) (param $words i32) (local $t i32) (local $end i32)
 (local.set $t (local.get $first))
 (local.set $end (i32.add (local.get $first) (i32.mul (local.get $count) (local.get $entry))))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $t) (local.get $end)))
  (call {maker.need("sift")} (local.get $first) (local.get $t) (local.get $entry) (local.get $words))
  (local.set $t (i32.add (local.get $t) (local.get $entry))) (br $l))))"""


def masks(maker: Maker) -> str:
    """A list of masks out of entries: the length, then the masks."""
    return """(func $masks (param $to i32) (param $from i32) (param $count i32) (param $skip i32) (param $size i32) (local $i i32)
 (local $start i32) (local.set $start (local.get $to))
 (local.set $to (i32.add (local.get $to) (i32.const 8)))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $i) (local.get $count)))
  (memory.copy (local.get $to) (i32.add (local.get $from) (local.get $skip)) (local.get $size))
  (local.set $to (i32.add (local.get $to) (local.get $size)))
  (local.set $from (i32.add (local.get $from) (i32.add (local.get $skip) (local.get $size))))
  (local.set $i (i32.add (local.get $i) (i32.const 1))) (br $l)))
 (i64.store (local.get $start) (i64.extend_i32_u (local.get $count))))"""


def pack(maker: Maker) -> str:
    """The last words of entries as a list of 16 bits each."""
    return """(func $pack (param $from i32) (param $count i32) (param $entry i32) (param $to i32) (local $i i32)
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $i) (local.get $count)))
  (local.set $from (i32.add (local.get $from) (local.get $entry)))
  (i64.store16 (local.get $to) (i64.add (i64.const 2) (i64.load (i32.sub (local.get $from) (i32.const 8)))))
  (local.set $to (i32.add (local.get $to) (i32.const 2)))
  (local.set $i (i32.add (local.get $i) (i32.const 1))) (br $l))))"""


def there_add(maker: Maker) -> str:
    """One more of a list without those that are none, each once. Gives its length in bytes."""
    return """(func $there_add (param $at i32) (param $end i32) (param $value i64) (result i32) (local $p i32)
 (if (i64.lt_s (local.get $value) (i64.const 0)) (then (return (local.get $end))))
 (local.set $p (local.get $at))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  (if (i64.eq (i64.load16_u (local.get $p)) (i64.add (local.get $value) (i64.const 2))) (then (return (local.get $end))))
  (local.set $p (i32.add (local.get $p) (i32.const 2))) (br $l)))
 (i64.store16 (local.get $end) (i64.add (local.get $value) (i64.const 2)))
 (i32.add (local.get $end) (i32.const 2)))"""


def packed_after(maker: Maker, w: int) -> str:
    down = " ".join(
        f"(local.set $m{j} (i64.or (i64.shr_u (local.get $m{j}) (i64.const 16)) "
        + (f"(i64.shl (local.get $m{j + 1}) (i64.const 48))" if j + 1 < w else "(i64.const 0)")
        + "))"
        for j in range(w)
    )
    return f"""(func {maker.title("packed_after", w)} {params("m", w)} (param $value i64) {results(w)}
 (block $b (loop $l (br_if $b (i64.eqz {some("m", w)}))
  (br_if $b (i64.eq (i64.and (local.get $m0) (i64.const 65535)) (i64.add (local.get $value) (i64.const 2)))) {down} (br $l)))
 {down} {gets("m", w)})"""


PARTS: dict[str, Callable[..., str]] = {
    f.__name__: f
    for f in (
        plus,
        minus,
        times,
        small,
        fdiv,
        fmod,
        div,
        below,
        shift,
        ratio_column,
        ratios,
        union,
        members_at,
        group_rest,
        group_mask,
        first_class,
        in_classes,
        group_classes,
        take,
        later,
        met,
        sift,
        order,
        masks,
        pack,
        there_add,
        packed_after,
    )
}
