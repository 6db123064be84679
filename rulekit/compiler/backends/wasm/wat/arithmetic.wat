;; Arithmetic that detects overflow, and ratios.
;;
;; `{plus}` and the like are the names of other functions of the runtime.

;;; plus
;; r := a + b, and whether it overflows. The sign of r differs from the signs of both a and b.
(local.set $r (i64.add (local.get $a) (local.get $b)))
 (local.set $over (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $r)) (i64.xor (local.get $b) (local.get $r))) (i64.const 0)))

;;; minus
;; r := a - b, and whether it overflows.
(local.set $r (i64.sub (local.get $a) (local.get $b)))
 (local.set $over (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $b)) (i64.xor (local.get $a) (local.get $r))) (i64.const 0)))

;;; times
;; r := a * b, and whether it overflows. Factors of 31 bits cannot overflow. Others are tested by a
;; division.
(local.set $r (i64.mul (local.get $a) (local.get $b)))
 (if (i64.ne (i64.shr_u (i64.or (i64.add (local.get $a) (i64.const 0x40000000)) (i64.add (local.get $b) (i64.const 0x40000000)))
   (i64.const 31)) (i64.const 0))
  (then (if (i64.ne (local.get $a) (i64.const 0)) (then (local.set $over
   (if (result i32) (i32.and (i64.eq (local.get $a) (i64.const -1)) (i64.eq (local.get $b) (i64.const 0x8000000000000000)))
    (then (i32.const 1)) (else (i64.ne (i64.div_s (local.get $r) (local.get $a)) (local.get $b)))))))))

;;; tested
;; An operation on two numbers that fails if the result overflows.
(func {title} (param $a i64) (param $b i64) (param $place i64) (result i64) (local $r i64) (local $over i32)
 {compute}
 (if (local.get $over) (then {fail})) {more}
 (local.get $r))

;;; small
;; Fails if the result does not fit into the state.
(if (i32.or (i64.ge_s (local.get $r) {most}) (i64.le_s (local.get $r) (i64.sub (i64.const 0) {most})))
  (then {fail_small}))

;;; fdiv
;; The quotient, rounded down.
(func $fdiv (param $a i64) (param $b i64) (result i64)
 (if (i64.eq (local.get $b) (i64.const -1)) (then (return (call {minus} (i64.const 0) (local.get $a) (i64.const 0)))))
 (i64.sub (i64.div_s (local.get $a) (local.get $b))
  (i64.extend_i32_u (i32.and (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0))
   (i64.ne (i64.rem_s (local.get $a) (local.get $b)) (i64.const 0))))))

;;; fmod
;; The remainder of division that rounds down.
(func $fmod (param $a i64) (param $b i64) (result i64)
 (i64.sub (local.get $a) (i64.mul (call {fdiv} (local.get $a) (local.get $b)) (local.get $b))))

;;; div
;; The quotient, rounded down or up. Fails if the divisor is 0.
(func $div (param $a i64) (param $b i64) (param $up i64) (param $place i64) (result i64)
 (if (i64.eqz (local.get $b)) (then {fail_division}))
 (if (result i64) (i64.eqz (local.get $up)) (then (call {fdiv} (local.get $a) (local.get $b)))
  (else (i64.sub (i64.const 0)
   (call $fdiv (call {minus} (i64.const 0) (local.get $a) (local.get $place)) (local.get $b))))))

;;; below
;; The lowest n bits: none if n is below 0, all if it is above 63.
(func $below (param $n i64) (result i64)
 (select (select (i64.const -1) (i64.sub (i64.shl (i64.const 1) (local.get $n)) (i64.const 1)) (i64.ge_s (local.get $n) (i64.const 64)))
  (i64.const 0) (i64.gt_s (local.get $n) (i64.const 0))))

;;; shift
;; Moves an ordinal up or down, from 0 to top. None (-1) stays none.
(func $shift (param $m i64) (param $by i64) (param $top i64) (param $place i64) (result i64) (local $x i64)
 (if (i64.lt_s (local.get $m) (i64.const 0)) (then (return (local.get $m))))
 (local.set $x (call {plus} (local.get $m) (local.get $by) (local.get $place)))
 (if (i64.lt_s (local.get $x) (i64.const 0)) (then (return (i64.const 0))))
 (select (local.get $top) (local.get $x) (i64.gt_s (local.get $x) (local.get $top))))

;;; ratio_products
;; The cross products of the ratio of a row and the ratio n : d.
(call {times} (i64.load (local.get $p)) (local.get $d) (local.get $place))
  (call {times} (local.get $n) (i64.load offset=8 (local.get $p)) (local.get $place))

;;; ratio_column
;; The row of a table of ratios in which the ratio n : d falls. A row has two words.
(func {title} (param $p i32) (param $count i64) (param $n i64) (param $d i64) (param $place i64) (result i64)
 (local $i i64) (local $found i64)
 (if (i64.le_s (local.get $n) (i64.const 0)) (then (return (i64.const 0))))
 (if (i64.le_s (local.get $d) (i64.const 0)) (then (return (i64.sub (local.get $count) (i64.const 1)))))
 (loop $l (if ({test} {step}) (then {result}))
  (local.set $p (i32.add (local.get $p) (i32.const 16))) (local.set $i (i64.add (local.get $i) (i64.const 1)))
  (br_if $l (i64.lt_s (local.get $i) (local.get $count))))
 {last})

;;; ratios
;; Compares a : b with c : d: -1, 0 or 1.
(func $ratios (param $a i64) (param $b i64) (param $c i64) (param $d i64) (param $place i64) (result i64)
 (local $x i64) (local $y i64) {tidy}
 (local.set $x (call {times} (local.get $a) (local.get $d) (local.get $place)))
 (local.set $y (call $times (local.get $c) (local.get $b) (local.get $place)))
 (i64.sub (i64.extend_i32_u (i64.gt_s (local.get $x) (local.get $y))) (i64.extend_i32_u (i64.lt_s (local.get $x) (local.get $y)))))

;;; ratio_bounded
;; A ratio of nothing is 0 : 1. A ratio to nothing is 1 : 0.
 (if (i64.le_s (local.get ${n}) (i64.const 0)) (then (local.set ${n} (i64.const 0)) (local.set ${d} (i64.const 1)))
  (else (if (i64.le_s (local.get ${d}) (i64.const 0)) (then (local.set ${n} (i64.const 1)) (local.set ${d} (i64.const 0))))))
