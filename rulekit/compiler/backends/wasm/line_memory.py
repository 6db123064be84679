"""Takes the memory of a module, makes the functions that keep lines of own choices, as
`rulekit.engine.search.line_memory.Lines` does.

`$line_begin(visit, chance)`, `$line_next` (an option that is offered, or 0), `$line_made(option)`,
`$line_end(visit, worth)`, `$line_plant` (a new tree: there is no line), and the export
`descend(option)`. `$line_off`: none is kept in this visit. Of the best line the exports `line`
(where it lies), `line_length`, `line_won` (the sum of what it was worth) and `line_plays`.
"""

from __future__ import annotations

from rulekit.compiler.backends.wasm.memory import Memory
from rulekit.runtime.search_constants import LINE, NONE, TRIED, TRYING, TURNS, VARYING

BYTES = 4  # of an option


def lines(mem: Memory) -> str:
    """Four lines lie one behind the other: that of the visit, the best, the one that is tried, the
    best that was found meanwhile."""
    now = mem.take(4 * BYTES * LINE)
    best, tried, found = (now + BYTES * LINE * n for n in (1, 2, 3))
    return f"""
(global (export "line") i32 (i32.const {best})) (global $line_best (export "line_length") (mut i32) (i32.const 0))
(global $line_won (export "line_won") (mut f64) (f64.const 0)) (global $line_plays (export "line_plays") (mut i32) (i32.const 0))
(global $line_now (mut i32) (i32.const 0)) (global $line_most (mut f64) (f64.const {NONE})) (global $line_turn (mut i32) (i32.const 0))
(global $line_tried (mut i32) (i32.const 0)) (global $line_found (mut i32) (i32.const 0))
(global $line_sum (mut f64) (f64.const 0)) (global $line_count (mut i32) (i32.const 0))
(global $line_again (mut i32) (i32.const 0)) (global $line_outlived (mut i32) (i32.const 0))
(global $line_at (mut i32) (i32.const 0)) (global $line_stop (mut i32) (i32.const 0))
(func $line_copy (param $to i32) (param $from i32) (param $n i32) (result i32)
 (memory.copy (local.get $to) (local.get $from) (i32.mul (local.get $n) (i32.const {BYTES}))) (local.get $n))
(func $line_follow (param $line i32) (param $n i32)
 (global.set $line_at (local.get $line))
 (global.set $line_stop (i32.add (local.get $line) (i32.mul (local.get $n) (i32.const {BYTES})))))
(func $line_off
 (global.set $line_turn (i32.const -1)) (call $line_follow (i32.const 0) (i32.const 0)))
(func $line_mean (param $sum f64) (param $n i32) (result f64)
 (f64.div (local.get $sum) (f64.convert_i32_u (local.get $n))))
(func $line_ahead (result i32)
 (if (i32.eqz (global.get $line_plays)) (then (return (i32.const 1))))
 (f64.gt (call $line_mean (global.get $line_sum) (global.get $line_count))
  (call $line_mean (global.get $line_won) (global.get $line_plays))))
(func $line_enter (local $runs i32)
 (if (i32.and (i32.ne (global.get $line_tried) (i32.const 0)) (i32.and (i32.ne (global.get $line_count) (i32.const 0))
   (i32.lt_u (global.get $line_count) (global.get $line_plays)))) (then
  (if (call $line_ahead) (then (global.set $line_again (i32.const 0)) (return)))))
 (local.set $runs (i32.div_u (global.get $line_plays) (i32.const {TRIED})))
 (global.set $line_again (i32.and (i32.ne (local.get $runs) (i32.const 0))
  (i32.lt_u (i32.mul (local.get $runs) (local.get $runs)) (global.get $line_outlived))))
 (if (global.get $line_again) (then (return)))
 (global.set $line_outlived (i32.add (global.get $line_outlived) (i32.const 1)))
 (global.set $line_tried (call $line_copy (i32.const {tried}) (i32.const {found}) (global.get $line_found)))
 (call $line_lost)
 (global.set $line_sum (f64.const 0)) (global.set $line_count (i32.const 0)))
(func $line_begin (param $visit i64) (param $bits i64) (local $turn i32)
 (call $line_off) (global.set $line_now (i32.const 0))
 (local.set $turn (i32.wrap_i64 (i64.rem_u (local.get $visit) (i64.const {TRIED * TURNS}))))
 (global.set $line_turn (i32.div_u (local.get $turn) (i32.const {TRIED})))
 (if (i32.eq (local.get $turn) (i32.const {TRIED * TRYING})) (then (call $line_enter)))
 (if (i32.eq (global.get $line_turn) (i32.const {TRYING})) (then
  (if (global.get $line_again) (then (call $line_follow (i32.const {best}) (global.get $line_best)))
  (else (call $line_follow (i32.const {tried}) (global.get $line_tried))))))
 (if (i32.eq (global.get $line_turn) (i32.const {VARYING})) (then
  (call $line_follow (i32.const {best}) (i32.wrap_i64 (i64.shr_u (i64.mul (i64.shr_u (local.get $bits) (i64.const 32))
   (i64.extend_i32_u (i32.add (global.get $line_best) (i32.const 1)))) (i64.const 32)))))))
(func $line_next (result i64) (local $option i64)
 (if (i32.lt_u (global.get $line_at) (global.get $line_stop)) (then
  (local.set $option (i64.load32_u (global.get $line_at)))
  (if (call $has (local.get $option)) (then
   (global.set $line_at (i32.add (global.get $line_at) (i32.const {BYTES}))) (return (local.get $option))))))
 (i64.const 0))
(func $line_made (param $option i64)
 (if (i32.lt_u (global.get $line_now) (i32.const {LINE})) (then
  (i64.store32 offset={now} (i32.mul (global.get $line_now) (i32.const {BYTES})) (local.get $option))
  (global.set $line_now (i32.add (global.get $line_now) (i32.const 1))))))
(func $line_end (param $visit i64) (param $worth f64)
 (if (i32.ne (global.get $line_turn) (i32.const {TRYING})) (then
  (if (f64.gt (local.get $worth) (global.get $line_most)) (then
   (global.set $line_found (call $line_copy (i32.const {found}) (i32.const {now}) (global.get $line_now)))
   (global.set $line_most (local.get $worth))))
  return))
 (if (global.get $line_again) (then
  (global.set $line_won (f64.add (global.get $line_won) (local.get $worth)))
  (global.set $line_plays (i32.add (global.get $line_plays) (i32.const 1))) return))
 (global.set $line_sum (f64.add (global.get $line_sum) (local.get $worth)))
 (global.set $line_count (i32.add (global.get $line_count) (i32.const 1)))
 (if (i32.and (i32.and (i32.ne (global.get $line_tried) (i32.const 0)) (i32.ge_u (global.get $line_count) (global.get $line_plays)))
   (i64.eq (i64.rem_u (local.get $visit) (i64.const {TRIED})) (i64.const {TRIED - 1}))) (then
  (if (call $line_ahead) (then
   (global.set $line_best (call $line_copy (i32.const {best}) (i32.const {tried}) (global.get $line_tried)))
   (global.set $line_won (global.get $line_sum)) (global.set $line_plays (global.get $line_count))
   (global.set $line_tried (i32.const 0)))))))
(func $line_none (global.set $line_won (f64.const 0)) (global.set $line_plays (i32.const 0)) (global.set $line_outlived (i32.const 0)))
(func $line_lost (global.set $line_found (i32.const 0)) (global.set $line_most (f64.const {NONE})))
(func $line_plant
 (global.set $line_best (i32.const 0)) (global.set $line_tried (i32.const 0)) (global.set $line_again (i32.const 0))
 (global.set $line_sum (f64.const 0)) (global.set $line_count (i32.const 0)) (call $line_none) (call $line_lost))
(func $line_shorter (param $line i32) (param $n i32) (param $option i64) (result i32)
 (if (i32.or (i32.eqz (local.get $n)) (i64.ne (i64.load32_u (local.get $line)) (local.get $option))) (then (return (i32.const 0))))
 (call $line_copy (local.get $line) (i32.add (local.get $line) (i32.const {BYTES})) (i32.sub (local.get $n) (i32.const 1))))
(func (export "descend") (param $option i64)
 (global.set $line_tried (call $line_shorter (i32.const {tried}) (global.get $line_tried) (local.get $option)))
 (global.set $line_best (call $line_shorter (i32.const {best}) (global.get $line_best) (local.get $option)))
 (if (i32.eqz (global.get $line_best)) (then (call $line_none)))
 (call $line_lost))
"""
