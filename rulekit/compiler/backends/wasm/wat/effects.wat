;; Effects that write many slots. See `rulekit.runtime.effects`, fast variant.

;;; put_both
;; Writes a cell that holds a member, and its inverse index.
(func {title} (param $k i64) (param $v i64)
 (local $at i32) (local $o i64) (local $a i32)
 (local.set $at {value_slot}) (local.set $o (i64.load (local.get $at)))
 (if (i64.eq (local.get $o) (local.get $v)) (then return))
 (i64.store (local.get $at) (local.get $v))
 (local.set $a {old_mask}) {clear_bit}
 (local.set $a {new_mask}) {set_bit})

;;; put_group
;; The same for all members of a set. Without a cell, only the index is written.
(func {title} {params_g} (param $v i64) (local $t i32) (local $a i32)
 (local.set $t {new_mask}) {mine} {none} if return end
 (local.set $a (i32.const {address}))
 (loop $l {clear} (local.set $a (i32.add (local.get $a) (i32.const {mask_bytes})))
  (br_if $l (i32.lt_u (local.get $a) (i32.const {end}))))
 {give} {every})

;;; put_all
;; One value in the slots of all members of a set.
(func {title} {params_g} {params_v} (local $a i32) {body})

;;; fill
;; One value in consecutive slots.
(func {title} {params_v} (local $a i32) (local.set $a (i32.const {address}))
 (loop $l {stores} (local.set $a (i32.add (local.get $a) (i32.const {value_bytes})))
  (br_if $l (i32.lt_u (local.get $a) (i32.const {end})))))

;;; fill_at
;; One value in the slots of a table.
(func {title} {params_v} {stores})

;;; move
;; The thing k leaves its pool and enters the pool with the slot t. If one of the two pools is open,
;; everybody knows now where it is.
(func {title} (param $k i64) (param $t i64) (local $bit i64) (local $word i32) (local $seen i32)
 (local $a i32) (local $end i32)
 (local.set $bit (i64.shl (i64.const 1) (local.get $k)))
 (local.set $word (i32.shl (i32.wrap_i64 (i64.shr_u (local.get $k) (i64.const 6))) (i32.const 3)))
 (local.set $seen {seen}) {body}
 (local.set $a {target_slot}) {set_bit}
 (if (local.get $seen) (then (local.set $a (i32.const {known})) {set_bit})))

;;; put_thing
;; Moves a thing, if there is one.
(func {title} (param $k i64) (param $t i64)
 (if (i64.ge_s (local.get $k) (i64.const 0)) (then (call {move} (local.get $k) (local.get $t)))))

;;; gather_things
;; Moves all things of a pool to another one.
(func {title} (param $f i64) (param $t i64) {locals_m} {body})

;;; draw_things
;; Moves n random things of a pool to another one. Nobody knows any more where the things of the
;; pool are.
(func {title} (param $n i64) (param $f i64) (param $t i64) {locals_m}
 (local $c i64) (local $k i64) {reads}
 (local.set $c {count_m})
 (if (i64.lt_s (local.get $c) (local.get $n)) (then (local.set $n (local.get $c))))
 (block $b (loop $l (br_if $b (i64.le_s (local.get $n) (i64.const 0)))
  (local.set $n (i64.sub (local.get $n) (i64.const 1))) {reads}
  (local.set $c (i64.rem_u (call $random) {count_m})) {forget}
  (block $found {pick})
  (call {move} (local.get $k) (local.get $t)) (br $l))))

;;; put_all_word
 (block $b{index} (loop $l{index} (br_if $b{index} (i64.eqz (local.get $g{index})))
  (local.set $a (i32.add (i32.const {address})
   (i32.mul (i32.wrap_i64 (i64.ctz (local.get $g{index}))) (i32.const {value_bytes})))) {stores}
  (local.set $g{index} (i64.and (local.get $g{index}) (i64.sub (local.get $g{index}) (i64.const 1)))) (br $l{index})))

;;; leave_pool
;; Clears the thing in all slots of a pool.
 (local.set $a (i32.add (local.get $word) (i32.const {first})))
 (local.set $end (i32.add (local.get $a) (i32.const {pool_bytes})))
 (loop $l{base}
  (if (i64.ne (i64.and (i64.load (local.get $a)) (local.get $bit)) (i64.const 0)) (then
   (i64.store (local.get $a) (i64.xor (i64.load (local.get $a)) (local.get $bit)))
   {see}))
  (local.set $a (i32.add (local.get $a) (i32.const {mask_bytes}))) (br_if $l{base} (i32.lt_u (local.get $a) (local.get $end))))

;;; gather_word
 (block $b{index} (loop $l{index} (br_if $b{index} (i64.eqz (local.get $m{index})))
  (call {move} (i64.add (i64.const {first_bit}) (i64.ctz (local.get $m{index}))) (local.get $t))
  (local.set $m{index} (i64.and (local.get $m{index}) (i64.sub (local.get $m{index}) (i64.const 1)))) (br $l{index})))

;;; draw_word
   (if (i64.lt_u (local.get $c) (i64.popcnt (local.get $m{index}))) (then
    (local.set $k (i64.add (i64.const {first_bit}) (call $nth (local.get $m{index}) (local.get $c)))) (br $found)))
   (local.set $c (i64.sub (local.get $c) (i64.popcnt (local.get $m{index}))))
