;; Lists and queues in scratch memory, which is taken from `$bump` upward.

;;; take
;; Takes n bytes of scratch memory. Fails if none is left.
(func $take (param $n i32) (result i32) (local $at i32)
 (local.set $at (global.get $bump)) (global.set $bump (i32.add (local.get $at) (local.get $n)))
 (if (i32.gt_u (global.get $bump) (i32.const {scratch_end})) (then {fail_memory}))
 (local.get $at))

;;; later
;; Adds a place to the queue of a search, with the allowance that is left there.
(func $later (param $place i64) (param $left i64) (local $at i32) (local.set $at (call {take} (i32.const 16)))
 (i64.store (local.get $at) (local.get $place)) (i64.store offset=8 (local.get $at) (local.get $left)))

;;; met
;; Has the search been at this place with this allowance? It is noted. The hash table holds -1 in
;; free entries.
(func $met (param $t i32) (param $place i64) (param $left i64) (result i32) (local $i i32) (local $n i32) (local $p i32)
 (local.set $i (i32.wrap_i64 (i64.add (i64.mul (local.get $place) (i64.const 61)) (local.get $left))))
 (loop $l
  (local.set $p (i32.add (local.get $t) (i32.shl (i32.and (local.get $i) (i32.const {last_entry})) (i32.const 4))))
  (if (i64.eq (i64.load (local.get $p)) (i64.const -1)) (then
   (i64.store (local.get $p) (local.get $place)) (i64.store offset=8 (local.get $p) (local.get $left)) (return (i32.const 0))))
  (if (i32.and (i64.eq (i64.load (local.get $p)) (local.get $place)) (i64.eq (i64.load offset=8 (local.get $p)) (local.get $left)))
   (then (return (i32.const 1))))
  (local.set $i (i32.add (local.get $i) (i32.const 1))) (local.set $n (i32.add (local.get $n) (i32.const 1)))
  (br_if $l (i32.lt_u (local.get $n) (i32.const {most_entries}))))
 {fail_memory} (i32.const 0))

;;; sift
;; Moves an entry to its place among the sorted entries before it. Entries are ordered by their
;; first words.
(func $sift (param $first i32) (param $t i32) (param $entry i32) (param $words i32)
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
  (local.set $t (i32.sub (local.get $t) (local.get $entry))) (br $l))))

;;; order
;; Sorts entries.
(func $order (param $first i32) (param $count i32) (param $entry i32) (param $words i32) (local $t i32) (local $end i32)
 (local.set $t (local.get $first))
 (local.set $end (i32.add (local.get $first) (i32.mul (local.get $count) (local.get $entry))))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $t) (local.get $end)))
  (call {sift} (local.get $first) (local.get $t) (local.get $entry) (local.get $words))
  (local.set $t (i32.add (local.get $t) (local.get $entry))) (br $l))))

;;; masks
;; Copies the masks of entries to a list: the length, then the masks.
(func $masks (param $to i32) (param $from i32) (param $count i32) (param $skip i32) (param $size i32) (local $i i32)
 (local $start i32) (local.set $start (local.get $to))
 (local.set $to (i32.add (local.get $to) (i32.const 8)))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $i) (local.get $count)))
  (memory.copy (local.get $to) (i32.add (local.get $from) (local.get $skip)) (local.get $size))
  (local.set $to (i32.add (local.get $to) (local.get $size)))
  (local.set $from (i32.add (local.get $from) (i32.add (local.get $skip) (local.get $size))))
  (local.set $i (i32.add (local.get $i) (i32.const 1))) (br $l)))
 (i64.store (local.get $start) (i64.extend_i32_u (local.get $count))))

;;; pack
;; Packs the last word of each entry into a list of 16 bits each. 0 marks the end and none is -1, so 2 is added.
(func $pack (param $from i32) (param $count i32) (param $entry i32) (param $to i32) (local $i i32)
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $i) (local.get $count)))
  (local.set $from (i32.add (local.get $from) (local.get $entry)))
  (i64.store16 (local.get $to) (i64.add (i64.const 2) (i64.load (i32.sub (local.get $from) (i32.const 8)))))
  (local.set $to (i32.add (local.get $to) (i32.const 2)))
  (local.set $i (i32.add (local.get $i) (i32.const 1))) (br $l))))

;;; there_add
;; Adds a value to a packed list, unless it is none or in the list. Returns the end of the list.
(func $there_add (param $at i32) (param $end i32) (param $value i64) (result i32) (local $p i32)
 (if (i64.lt_s (local.get $value) (i64.const 0)) (then (return (local.get $end))))
 (local.set $p (local.get $at))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  (if (i64.eq (i64.load16_u (local.get $p)) (i64.add (local.get $value) (i64.const 2))) (then (return (local.get $end))))
  (local.set $p (i32.add (local.get $p) (i32.const 2))) (br $l)))
 (i64.store16 (local.get $end) (i64.add (local.get $value) (i64.const 2)))
 (i32.add (local.get $end) (i32.const 2)))

;;; packed_after
;; The rest of a packed list after a value.
(func {title} {params_m} (param $value i64) {results}
 (block $b (loop $l (br_if $b (i64.eqz {some_m}))
  (br_if $b (i64.eq (i64.and (local.get $m0) (i64.const 65535)) (i64.add (local.get $value) (i64.const 2)))) {down} (br $l)))
 {down} {gets_m})
