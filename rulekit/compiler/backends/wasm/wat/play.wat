;; Functions that the host calls to play, to play random games, and to count positions.
;;
;; The list of options lies at `layers`: entries of a first id and a mask, up to `$layer_end`.

;;; functions
;; Before a choice: resets the counters and frees scratch memory.
(func $fresh (global.set $ticks (global.get $max_steps)) (global.set $over (i32.const 0)) (global.set $bump (i32.const {scratch})))

;; Runs blocks until play waits or ends, and counts their work.
(func $go (param $b i64) (local $left i64) (local.set $left (global.get $max_steps))
 (block $end (loop $l
  (br_if $end (i64.eqz (local.get $b)))
  (if (i64.eqz (local.get $left)) (then {fail_steps}))
  (local.set $left (i64.sub (local.get $left) (i64.const 1)))
  (global.set $bump (i32.const {scratch}))
  (local.set $b (call_indirect $functions (type $block) (i32.wrap_i64 (local.get $b))))
  (br_if $l (i32.eqz (global.get $over)))))
 (global.set $fuel (i64.sub (global.get $fuel) (i64.mul (i64.const {choice_fuel})
  (i64.add (i64.const 1) (i64.sub (global.get $max_steps) (local.get $left))))))
 (if (i64.lt_s (global.get $fuel) (i64.const 0)) (then (call $spent (i64.const 0)))))

;; The host calls these four. Each may use the fuel of one choice.
(func (export "list") {full} (call $list))
(func (export "go") (param $b i64) {full} (call $fresh) (call $no_layers) (call $go (local.get $b)))
(func (export "begin") (param $seed i64) {full} (call $begin (local.get $seed)))
(func (export "apply") (param $o i64) {full} (call $apply (local.get $o)))

;; The same operation on n positions: 0 lists options, 1 begins, 2 applies an option.
(func (export "many") (param $at i32) (param $given i32) (param $n i32) (param $out i32) (param $end i32) (param $how i32)
 (local $o i64) (local $size i32)
 (global.set $done (i32.const 0))
 (block $b (loop $l
  (br_if $b (i32.ge_u (global.get $done) (local.get $n)))
  (br_if $b (i32.lt_u (i32.sub (local.get $end) (local.get $out)) (i32.const {entry_bytes})))
  {full}
  (local.set $o (i64.load (local.get $given)))
  (if (i32.eq (local.get $how) (i32.const 1)) (then (call $begin (local.get $o))) (else
   (memory.copy (i32.const 0) (local.get $at) (i32.const {state_bytes}))
   (if (i32.and (i32.and (i32.eq (local.get $how) (i32.const 2)) (i64.gt_s {pc} (i64.const 0))) (i64.ne (local.get $o) (i64.const 0)))
    (then (call $apply (local.get $o))) (else (call $list)))))
  (memory.copy (local.get $at) (i32.const 0) (i32.const {state_bytes}))
  (local.set $size (i32.const 0))
  (if (i64.gt_s {pc} (i64.const 0)) (then (local.set $size (i32.sub (global.get $layer_end) (i32.const {layers})))))
  (i64.store (local.get $out) (i64.extend_i32_u (local.get $size)))
  (memory.copy (i32.add (local.get $out) (i32.const 8)) (i32.const {layers}) (local.get $size))
  (local.set $out (i32.add (local.get $out) (i32.add (i32.const 8) (local.get $size))))
  (local.set $at (i32.add (local.get $at) (i32.const {state_bytes}))) (local.set $given (i32.add (local.get $given) (i32.const 8)))
  (global.set $done (i32.add (global.get $done) (i32.const 1))) (br $l))))

;; Lists the options of the decision.
(func $list (call $no_layers) (global.set $bump (i32.const {scratch}))
 (if (i64.gt_s {pc} (i64.const 0)) (then
  (call_indirect $functions (type $options) (i32.add (i32.const {options}) (i32.wrap_i64 {pc}))))))

;; A new game. If `$begun`, it starts at a decision.
(func $begin (param $seed i64)
 (memory.copy (i32.const 0) (i32.const {origin}) (i32.const {state_bytes}))
 (i64.store offset={seed} (i32.const 0) (local.get $seed))
 (if (global.get $begun) (then (call $list)) (else (call $fresh) (call $no_layers) (call $go (i64.const {begin})))))

;; Applies an option.
(func $apply (param $o i64) (local $b i64)
 (call $fresh)
 (local.set $b (call_indirect $functions (type $resume) (local.get $o) (i32.add (i32.const {resume}) (i32.wrap_i64 {pc}))))
 (if (i32.eqz (global.get $over)) (then (call $go (local.get $b)))))

;; The number of options.
(func $total (export "total") (result i64) (local $p i32) (local $n i64)
 (local.set $p (i32.const {layers}))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (global.get $layer_end)))
  (local.set $n (i64.add (local.get $n) {counts})) {each} (br $l)))
 (local.get $n))

;; Option k in order.
(func $option (param $k i64) (result i64) (local $p i32) (local $n i64) (local $m i64)
 (local.set $p (i32.const {layers}))
 (loop $l {picks} {each} (br_if $l (i32.lt_u (local.get $p) (global.get $layer_end))))
 {fail_choices} unreachable)

;; A hash of the state (FNV-1a).
(func $digest (result i64) (local $p i32) (local $h i64) (local.set $h (i64.const -3750763034362895579))
 (loop $l (local.set $h (i64.mul (i64.xor (local.get $h) (i64.load (local.get $p))) (i64.const 1099511628211)))
  (local.set $p (i32.add (local.get $p) (i32.const 8))) (br_if $l (i32.lt_u (local.get $p) (i32.const {state_bytes}))))
 (local.get $h))

;; Notes the scores at a turn. Returns 1 if there is no room.
(func $full (param $turn i64) (result i32) (local $p i32) (local.set $p (global.get $mark))
 (if (i32.gt_u (local.get $p) (i32.const {last_mark})) (then (return (i32.const 1))))
 (i64.store (local.get $p) (local.get $turn))
 (if (i32.ge_s (global.get $score) (i32.const 0)) (then {scores}))
 (global.set $mark (i32.add (local.get $p) (i32.const {row_bytes}))) (i32.const 0))

;; Plays random games with consecutive seeds. Returns the number of choices.
(func (export "playouts") (param $seed i64) (param $games i32) (result i64)
 (local $n i64) (local $all i64) (local $player i64) (local $r i32) (local $end i32)
 (local $turn i64) (local $marked i64) (local $first i32)
 (if (i32.gt_u (local.get $games) (i32.const {max_games})) (then {fail_memory}))
 (global.set $fuel (i64.mul (global.get $max_fuel) (i64.extend_i32_u (local.get $games))))
 (local.set $r (i32.const {results})) (global.set $done (i32.const 0)) (global.set $mark (i32.const {marks}))
 (local.set $end (i32.add (local.get $r) (i32.mul (local.get $games) (i32.const {result_bytes}))))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $r) (local.get $end)))
  (call $begin (local.get $seed))
  (local.set $player (call $mix (local.get $seed) (i64.const {choices_stream})))
  (local.set $n (i64.const 0)) (local.set $turn {turn}) (local.set $marked (i64.const 0)) (local.set $first (global.get $mark))
  (block $over (loop $g
   (br_if $over (i64.le_s {pc} (i64.const 0)))
   (if (i64.ge_s (local.get $n) (global.get $max_choices)) (then {fail_choices}))
   (call $apply (call $option (i64.shr_u (i64.mul (i64.shr_u (call $mix (local.get $player) (local.get $n)) (i64.const 32))
    (call $total)) (i64.const 32))))
   (local.set $n (i64.add (local.get $n) (i64.const 1)))
   (if (i64.ne {turn} (local.get $turn)) (then
    (br_if $b (call $full (local.get $turn))) (local.set $turn {turn}) (local.set $marked (local.get $n))))
   (br $g)))
  (if (i32.or (i64.lt_u (local.get $marked) (local.get $n)) (i64.eqz (local.get $n))) (then (br_if $b (call $full (local.get $turn)))))
  (i64.store (local.get $r) (i64.load offset={winner} (i32.const 0)))
  (i64.store offset=8 (local.get $r) (i64.load offset={level} (i32.const 0)))
  (i64.store offset=16 (local.get $r) (local.get $n))
  (i64.store offset=24 (local.get $r) (i64.load offset={counter} (i32.const 0)))
  (i64.store offset=32 (local.get $r) (call $digest))
  (i64.store offset=40 (local.get $r) (i64.extend_i32_u (i32.div_u (i32.sub (global.get $mark) (local.get $first)) (i32.const {row_bytes}))))
  (global.set $done (i32.add (global.get $done) (i32.const 1)))
  (local.set $all (i64.add (local.get $all) (local.get $n)))
  (local.set $seed (i64.add (local.get $seed) (i64.const 1)))
  (local.set $r (i32.add (local.get $r) (i32.const {result_bytes}))) (br $l)))
 (local.get $all))

;; Counts the positions below this one.
(func $down (param $level i32) (param $depth i32) (local $at i32) (local $p i32) (local $end i32) (local $m i64)
 (local.set $at (i32.add (global.get $stack) (i32.mul (local.get $level) (i32.const {frame_bytes}))))
 (local.set $p (i32.add (i32.const {counts_at}) (i32.shl (local.get $level) (i32.const 3))))
 (i64.store (local.get $p) (i64.add (i64.load (local.get $p)) (call $total)))
 (if (i32.ge_u (i32.add (local.get $level) (i32.const 1)) (local.get $depth)) (then return))
 (memory.copy (local.get $at) (i32.const 0) (i32.const {state_bytes}))
 (local.set $p (i32.add (local.get $at) (i32.const {state_bytes})))
 (local.set $end (i32.add (local.get $p) (i32.sub (global.get $layer_end) (i32.const {layers}))))
 (memory.copy (local.get $p) (i32.const {layers}) (i32.sub (local.get $end) (local.get $p)))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end))) {down} {each} (br $l))))

;; Counts the positions at each depth.
(func (export "perft") (param $depth i32) (local $need i32)
 (if (i32.gt_u (local.get $depth) (i32.const {max_depth})) (then {fail_memory}))
 (global.set $fuel (i64.shl (global.get $max_fuel) (i64.extend_i32_u (local.get $depth))))
 (memory.fill (i32.const {counts_at}) (i32.const 0) (i32.const {counts_bytes}))
 (local.set $need (i32.sub (i32.shr_u (i32.add (i32.add (global.get $stack) (i32.mul (local.get $depth) (i32.const {frame_bytes})))
  (i32.const 65535)) (i32.const 16)) (memory.size)))
 (if (i32.gt_s (local.get $need) (i32.const 0)) (then
  (if (i32.lt_s (memory.grow (local.get $need)) (i32.const 0)) (then {fail_memory}))))
 (if (i64.gt_s {pc} (i64.const 0)) (then (call $down (i32.const 0) (local.get $depth)))))

;;; pick_word
;; Option k, if this word of the layer holds it.
   (local.set $m {word}) (local.set $n (i64.popcnt (local.get $m)))
   (if (i64.lt_u (local.get $k) (local.get $n)) (then (return (i64.add (i64.load (local.get $p))
    (i64.add (i64.const {first_bit}) (call $nth (local.get $m) (local.get $k)))))))
   (local.set $k (i64.sub (local.get $k) (local.get $n)))

;;; down_word
;; Counts the positions after each option of this word.
   (local.set $m {word})
   (block $b{index} (loop $l{index} (br_if $b{index} (i64.eqz (local.get $m)))
    (call $apply (i64.add (i64.load (local.get $p)) (i64.add (i64.const {first_bit}) (i64.ctz (local.get $m)))))
    (if (i64.gt_s {pc} (i64.const 0)) (then (call $down (i32.add (local.get $level) (i32.const 1)) (local.get $depth))))
    (memory.copy (i32.const 0) (local.get $at) (i32.const {state_bytes}))
    (local.set $m (i64.and (local.get $m) (i64.sub (local.get $m) (i64.const 1)))) (br $l{index})))
