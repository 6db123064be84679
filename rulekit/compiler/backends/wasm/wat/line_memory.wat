;; The memory of lines of own choices. See `rulekit.engine.search.line_memory`.
;;
;; Four lines lie one behind the other: the line of this iteration, the best, the one on trial, and
;; the best that was found since.

;;; functions
(global (export "line") i32 (i32.const {best})) (global $line_best (export "line_length") (mut i32) (i32.const 0))
(global $line_won (export "line_won") (mut f64) (f64.const 0)) (global $line_plays (export "line_plays") (mut i32) (i32.const 0))
(global $line_now (mut i32) (i32.const 0)) (global $line_most (mut f64) (f64.const {none})) (global $line_turn (mut i32) (i32.const 0))
(global $line_tried (mut i32) (i32.const 0)) (global $line_found (mut i32) (i32.const 0))
(global $line_sum (mut f64) (f64.const 0)) (global $line_count (mut i32) (i32.const 0))
(global $line_again (mut i32) (i32.const 0)) (global $line_outlived (mut i32) (i32.const 0))
(global $line_at (mut i32) (i32.const 0)) (global $line_stop (mut i32) (i32.const 0))

;; Copies a line. Returns its length.
(func $line_copy (param $to i32) (param $from i32) (param $n i32) (result i32)
 (memory.copy (local.get $to) (local.get $from) (i32.mul (local.get $n) (i32.const {option_bytes}))) (local.get $n))

;; From now on, the choices come from a line.
(func $line_follow (param $line i32) (param $n i32)
 (global.set $line_at (local.get $line))
 (global.set $line_stop (i32.add (local.get $line) (i32.mul (local.get $n) (i32.const {option_bytes})))))

;; No line is used in this iteration.
(func $line_off
 (global.set $line_turn (i32.const -1)) (call $line_follow (i32.const 0) (i32.const 0)))

;; A mean value.
(func $line_mean (param $sum f64) (param $n i32) (result f64)
 (f64.div (local.get $sum) (f64.convert_i32_u (local.get $n))))

;; Is the line on trial better than the best one?
(func $line_ahead (result i32)
 (if (i32.eqz (global.get $line_plays)) (then (return (i32.const 1))))
 (f64.gt (call $line_mean (global.get $line_sum) (global.get $line_count))
  (call $line_mean (global.get $line_won) (global.get $line_plays))))

;; Begins a trial: the line found since takes its turn, or the best is repeated.
(func $line_enter (local $runs i32)
 (if (i32.and (i32.ne (global.get $line_tried) (i32.const 0)) (i32.and (i32.ne (global.get $line_count) (i32.const 0))
   (i32.lt_u (global.get $line_count) (global.get $line_plays)))) (then
  (if (call $line_ahead) (then (global.set $line_again (i32.const 0)) (return)))))
 (local.set $runs (i32.div_u (global.get $line_plays) (i32.const {tried_count})))
 (global.set $line_again (i32.and (i32.ne (local.get $runs) (i32.const 0))
  (i32.lt_u (i32.mul (local.get $runs) (local.get $runs)) (global.get $line_outlived))))
 (if (global.get $line_again) (then (return)))
 (global.set $line_outlived (i32.add (global.get $line_outlived) (i32.const 1)))
 (global.set $line_tried (call $line_copy (i32.const {tried}) (i32.const {found}) (global.get $line_found)))
 (call $line_lost)
 (global.set $line_sum (f64.const 0)) (global.set $line_count (i32.const 0)))

;; Begins an iteration. It follows a line, varies the best one, or is free.
(func $line_begin (param $visit i64) (param $bits i64) (local $turn i32)
 (call $line_off) (global.set $line_now (i32.const 0))
 (local.set $turn (i32.wrap_i64 (i64.rem_u (local.get $visit) (i64.const {cycle}))))
 (global.set $line_turn (i32.div_u (local.get $turn) (i32.const {tried_count})))
 (if (i32.eq (local.get $turn) (i32.const {trying_begins})) (then (call $line_enter)))
 (if (i32.eq (global.get $line_turn) (i32.const {trying})) (then
  (if (global.get $line_again) (then (call $line_follow (i32.const {best}) (global.get $line_best)))
  (else (call $line_follow (i32.const {tried}) (global.get $line_tried))))))
 (if (i32.eq (global.get $line_turn) (i32.const {varying})) (then
  (call $line_follow (i32.const {best}) (i32.wrap_i64 (i64.shr_u (i64.mul (i64.shr_u (local.get $bits) (i64.const 32))
   (i64.extend_i32_u (i32.add (global.get $line_best) (i32.const 1)))) (i64.const 32)))))))

;; The next option of the line if it is offered, else 0.
(func $line_next (result i64) (local $option i64)
 (if (i32.lt_u (global.get $line_at) (global.get $line_stop)) (then
  (local.set $option (i64.load32_u (global.get $line_at)))
  (if (call $has (local.get $option)) (then
   (global.set $line_at (i32.add (global.get $line_at) (i32.const {option_bytes}))) (return (local.get $option))))))
 (i64.const 0))

;; Notes an own choice.
(func $line_made (param $option i64)
 (if (i32.lt_u (global.get $line_now) (i32.const {max_length})) (then
  (i64.store32 offset={now} (i32.mul (global.get $line_now) (i32.const {option_bytes})) (local.get $option))
  (global.set $line_now (i32.add (global.get $line_now) (i32.const 1))))))

;; Ends an iteration with its value.
(func $line_end (param $visit i64) (param $worth f64)
 (if (i32.ne (global.get $line_turn) (i32.const {trying})) (then
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
   (i64.eq (i64.rem_u (local.get $visit) (i64.const {tried_count})) (i64.const {last_tried}))) (then
  (if (call $line_ahead) (then
   (global.set $line_best (call $line_copy (i32.const {best}) (i32.const {tried}) (global.get $line_tried)))
   (global.set $line_won (global.get $line_sum)) (global.set $line_plays (global.get $line_count))
   (global.set $line_tried (i32.const 0)))))))

;; There is no best line.
(func $line_none (global.set $line_won (f64.const 0)) (global.set $line_plays (i32.const 0)) (global.set $line_outlived (i32.const 0)))

;; Forgets the line that was found.
(func $line_lost (global.set $line_found (i32.const 0)) (global.set $line_most (f64.const {none})))

;; A new tree: there is no line.
(func $line_plant
 (global.set $line_best (i32.const 0)) (global.set $line_tried (i32.const 0)) (global.set $line_again (i32.const 0))
 (global.set $line_sum (f64.const 0)) (global.set $line_count (i32.const 0)) (call $line_none) (call $line_lost))

;; Removes the first option of a line if it was chosen, else the whole line.
(func $line_shorter (param $line i32) (param $n i32) (param $option i64) (result i32)
 (if (i32.or (i32.eqz (local.get $n)) (i64.ne (i64.load32_u (local.get $line)) (local.get $option))) (then (return (i32.const 0))))
 (call $line_copy (local.get $line) (i32.add (local.get $line) (i32.const {option_bytes})) (i32.sub (local.get $n) (i32.const 1))))

;; An option was chosen at the root.
(func (export "descend") (param $option i64)
 (global.set $line_tried (call $line_shorter (i32.const {tried}) (global.get $line_tried) (local.get $option)))
 (global.set $line_best (call $line_shorter (i32.const {best}) (global.get $line_best) (local.get $option)))
 (if (i32.eqz (global.get $line_best)) (then (call $line_none)))
 (call $line_lost))
