;; Functions of every module: random results, errors, counters, and the list of options.

;;; fixed
;; A random word from a seed and a counter (SplitMix64).
(func $mix (param $s i64) (param $c i64) (result i64) (local $x i64)
 (local.set $x (i64.add (local.get $s) (i64.mul (i64.add (local.get $c) (i64.const 1)) (i64.const -7046029254386353131))))
 (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 30))) (i64.const -4658895280553007687)))
 (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 27))) (i64.const -7723592293110705685)))
 (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 31))))

;; The place of member k of a word.
(func $nth (param $m i64) (param $k i64) (result i64)
 (block $b (loop $l (br_if $b (i64.eqz (local.get $k)))
  (local.set $m (i64.and (local.get $m) (i64.sub (local.get $m) (i64.const 1))))
  (local.set $k (i64.sub (local.get $k) (i64.const 1))) (br $l)))
 (i64.ctz (local.get $m)))

;; Ends play: the run took too many instructions.
(func $spent (param $place i64) {fail_steps})

;; The sum of n dice with f faces. Many dice count as work.
(func $roll (param $n i64) (param $f i64) (result i64) (local $t i64)
 (if (i64.gt_s (local.get $n) (i64.const {free_rolls})) (then
  (global.set $fuel (i64.sub (global.get $fuel) (local.get $n)))
  (if (i64.lt_s (global.get $fuel) (i64.const 0)) (then (call $spent (i64.const 0))))))
 (block $b (loop $l (br_if $b (i64.le_s (local.get $n) (i64.const 0)))
  (local.set $t (i64.add (local.get $t) (i64.add (i64.const 1) (i64.rem_u (call $random) (local.get $f)))))
  (local.set $n (i64.sub (local.get $n) (i64.const 1))) (br $l)))
 (local.get $t))

;; The next random word of the game.
(func $random (result i64) (local $c i64)
 (local.set $c (i64.load offset={counter} (i32.const 0)))
 (i64.store offset={counter} (i32.const 0) (i64.add (local.get $c) (i64.const 1)))
 (call $mix (i64.load offset={seed} (i32.const 0)) (local.get $c)))

;; Ends play with an error. The host reads the globals.
(func $fail (param $code i64) (param $a i64) (param $b i64) (param $c i64) (param $d i64) (param $place i64)
 (global.set $failure (local.get $code)) (global.set $fail_a (local.get $a)) (global.set $fail_b (local.get $b))
 (global.set $fail_c (local.get $c)) (global.set $fail_d (local.get $d)) (global.set $fail_place (local.get $place)) unreachable)

;; Counts a round of a loop.
(func $tick (param $place i64)
 (global.set $ticks (i64.sub (global.get $ticks) (i64.const 1)))
 (if (i64.lt_s (global.get $ticks) (i64.const 0)) (then {fail_steps})))

;; Empties the list of options.
(func $no_layers (global.set $layer_end (i32.const {layers})))

;; Adds a layer to the list of options.
(func $layer (param $base i64) {params_m}
 (if (i32.ge_u (global.get $layer_end) (i32.const {last_layer})) (then {fail_options}))
 (i64.store (global.get $layer_end) (local.get $base)) {stores}
 (global.set $layer_end (i32.add (global.get $layer_end) (i32.const {layer_bytes}))))
