"""Takes the memory of a module, makes the functions that keep lines of own choices, as `rulekit.play.lines.Lines` does.

`$line_begin(visit, chance)`, `$line_next` (an option that is offered, or 0), `$line_made(option)`, `$line_end(visit, worth)`, and
the export `descend(option)`. `$line_off`: none is kept in this visit."""

from __future__ import annotations

from rulekit.compile.emit.wasm.memory import Memory
from rulekit.program.search import LINE, NONE, TRIED, TRYING, TURNS, VARYING

BYTES = 4  # of an option


def lines(mem: Memory) -> str:
    """Four lines lie one behind the other: that of the visit, the best, the one that is tried, the best that was found meanwhile."""
    now = mem.take(4 * BYTES * LINE)
    best, tried, found = (now + BYTES * LINE * n for n in (1, 2, 3))
    return f"""
(global $line_now (mut i32) (i32.const 0)) (global $line_best (mut i32) (i32.const 0))
(global $line_tried (mut i32) (i32.const 0)) (global $line_found (mut i32) (i32.const 0))
(global $line_mean (mut f64) (f64.const {NONE})) (global $line_most (mut f64) (f64.const {NONE}))
(global $line_sum (mut f64) (f64.const 0)) (global $line_turn (mut i32) (i32.const 0))
(global $line_at (mut i32) (i32.const 0)) (global $line_stop (mut i32) (i32.const 0))
(func $line_copy (param $to i32) (param $from i32) (param $n i32) (result i32)
 (memory.copy (local.get $to) (local.get $from) (i32.mul (local.get $n) (i32.const {BYTES}))) (local.get $n))
(func $line_follow (param $line i32) (param $n i32)
 (global.set $line_at (local.get $line))
 (global.set $line_stop (i32.add (local.get $line) (i32.mul (local.get $n) (i32.const {BYTES})))))
(func $line_off
 (global.set $line_turn (i32.const -1)) (call $line_follow (i32.const 0) (i32.const 0)))
(func $line_begin (param $visit i64) (param $bits i64) (local $turn i32)
 (call $line_off) (global.set $line_now (i32.const 0))
 (local.set $turn (i32.wrap_i64 (i64.rem_u (local.get $visit) (i64.const {TRIED * TURNS}))))
 (global.set $line_turn (i32.div_u (local.get $turn) (i32.const {TRIED})))
 (if (i32.eq (local.get $turn) (i32.const {TRIED * TRYING})) (then
  (global.set $line_tried (call $line_copy (i32.const {tried}) (i32.const {found}) (global.get $line_found)))
  (global.set $line_found (i32.const 0)) (global.set $line_sum (f64.const 0)) (global.set $line_most (f64.const {NONE}))))
 (if (i32.eq (global.get $line_turn) (i32.const {TRYING})) (then (call $line_follow (i32.const {tried}) (global.get $line_tried))))
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
 (global.set $line_sum (f64.add (global.get $line_sum) (local.get $worth)))
 (if (i32.ne (global.get $line_tried) (i32.const 0)) (then
  (if (i64.eq (i64.rem_u (local.get $visit) (i64.const {TRIED})) (i64.const {TRIED - 1})) (then
   (local.set $worth (f64.div (global.get $line_sum) (f64.const {TRIED})))
   (if (f64.gt (local.get $worth) (global.get $line_mean)) (then
    (global.set $line_best (call $line_copy (i32.const {best}) (i32.const {tried}) (global.get $line_tried)))
    (global.set $line_mean (local.get $worth)))))))))
(func (export "descend") (param $option i64)
 (if (i32.and (i32.ne (global.get $line_best) (i32.const 0)) (i64.eq (i64.load32_u offset={best} (i32.const 0)) (local.get $option))) (then
  (global.set $line_best (call $line_copy (i32.const {best}) (i32.const {best + BYTES}) (i32.sub (global.get $line_best) (i32.const 1)))))
 (else (global.set $line_best (i32.const 0)) (global.set $line_mean (f64.const {NONE}))))
 (global.set $line_found (i32.const 0)) (global.set $line_most (f64.const {NONE})))
"""
