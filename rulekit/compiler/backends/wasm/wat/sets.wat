;; Sets, which are masks of one or more 64-bit words.
;;
;; A placeholder such as `params_m` holds the words of the mask m: `(param $m0 i64) (param $m1 i64)`. A
;; section `…_word` is repeated for each word, and `index` is the number of the word.

;;; union
;; The union of the masks of the members of m. The masks lie one every `stride` bytes.
(func {title} (param $at i32) {params_m} {results} (local $p i32) {locals_o} {body} {gets_o})

;;; members_at
;; The members of m whose slot holds a value.
(func {title} (param $at i32) {params_m} (param $value i64) {results} {locals_o} {body} {gets_o})

;;; group_rest
;; The members of s that can still join a group p: none if it is full, those that are not in it if
;; their order does not matter (`alike`), else those after the last one.
(func {title} {params_s} {params_p} (param $most i64) (param $alike i64) {results}
 (local $L i64) {locals_r}
 (if (i64.ge_s {count_p} (local.get $most)) (then {none} return))
 (if (i64.ne (local.get $alike) (i64.const 0)) (then {alike} return))
 {above} {gets_r})

;;; group_mask
;; The members of s that can come next in a group p. Enough must remain to reach `least`.
(func {title} {params_s} {params_p} (param $least i64) (param $most i64) {results}
 (local $L i64) (local $n i64) (local $spare i64) {locals_r} {locals_o}
 (local.set $n {count_p})
 (if (i64.ge_s (local.get $n) (local.get $most)) (then {none} return))
 {above}
 (if (i64.le_s (local.get $least) (i64.add (local.get $n) (i64.const 1))) (then {gets_r} return))
 (local.set $spare (i64.sub (i64.add (local.get $n) {count_r}) (local.get $least)))
 (if (i64.lt_s (local.get $spare) (i64.const 0)) (then (local.set $spare (i64.const 0))))
 (block $b (loop $l (br_if $b (i64.lt_s (local.get $spare) (i64.const 0)))
  (local.set $spare (i64.sub (local.get $spare) (i64.const 1)))
  (block $n {move}) (br $l)))
 {gets_o})

;;; first_class
;; The members of m in the first class of a list that has some of them.
(func {title} (param $p i32) {params_m} {results} (local $end i32) {locals_o}
 {span}
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  {class_masks} (br_if $b (i64.ne {some_o} (i64.const 0)))
  (local.set $p (i32.add (local.get $p) (i32.const {mask_bytes}))) (br $l)))
 {gets_o})

;;; class_span
;; p := the first mask of a list, end := the address after the last one.
(local.set $end (i32.add (i32.add (local.get $p) (i32.const 8))
  (i32.mul (i32.wrap_i64 (i64.load (local.get $p))) (i32.const {mask_bytes}))))
 (local.set $p (i32.add (local.get $p) (i32.const 8)))

;;; in_classes
;; Adds a layer of options for each class of a list that has members of m.
(func {title} (param $p i32) (param $base i64) {params_m} (local $end i32) {locals_o}
 {span}
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  {class_masks}
  (if (i64.ne {some_o} (i64.const 0)) (then (call $layer (local.get $base) {gets_o} {more})))
  (local.set $p (i32.add (local.get $p) (i32.const {mask_bytes}))) (br $l))))

;;; group_classes
;; The members that can come next in a group q, by classes of members that are alike: the lowest
;; free member of each class, if enough remain to reach `least`. k are all members.
(func {title} (param $p i32) {params_q} (param $least i64) (param $most i64) {params_k}
 {results} (local $end i32) (local $last i32) (local $n i64) (local $rest i64) {locals_f} {locals_o}
 (local.set $n {count_q})
 (if (i64.ge_s (local.get $n) (local.get $most)) (then {none} return))
 {span} (local.set $last (local.get $p))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  {class_picked} (if (i64.ne {some_f} (i64.const 0)) (then (local.set $last (local.get $p))))
  (local.set $p (i32.add (local.get $p) (i32.const {mask_bytes}))) (br $l)))
 (local.set $rest (local.get $n)) (local.set $p (local.get $last))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $p) (local.get $end)))
  {class_free} (local.set $rest (i64.add (local.get $rest) {count_f}))
  (local.set $p (i32.add (local.get $p) (i32.const {mask_bytes}))) (br $l)))
 (if (i64.gt_s (local.get $least) (local.get $rest)) (then (local.set $least (local.get $rest))))
 (local.set $rest (local.get $n)) (local.set $p (local.get $end))
 (block $b (loop $l (br_if $b (i32.le_u (local.get $p) (local.get $last)))
  (local.set $p (i32.sub (local.get $p) (i32.const {mask_bytes})))
  {class_free} (local.set $rest (i64.add (local.get $rest) {count_f}))
  (if (i64.ge_s (local.get $rest) (local.get $least)) (then (block $n {lowest})))
  (br $l)))
 {gets_o})

;;; union_word
 (block $b{index} (loop $l{index} (br_if $b{index} (i64.eqz (local.get $m{index})))
  (local.set $p (i32.add (local.get $at) (i32.mul (i32.const {stride})
   (i32.add (i32.const {first_bit}) (i32.wrap_i64 (i64.ctz (local.get $m{index}))))))) {take}
  (local.set $m{index} (i64.and (local.get $m{index}) (i64.sub (local.get $m{index}) (i64.const 1)))) (br $l{index})))

;;; members_at_word
 (block $b{index} (loop $l{index} (br_if $b{index} (i64.eqz (local.get $m{index})))
  (if (i64.eq (local.get $value) (i64.load (i32.add (local.get $at) (i32.mul (i32.const {stride})
   (i32.add (i32.const {first_bit}) (i32.wrap_i64 (i64.ctz (local.get $m{index}))))))))
   (then (local.set $o{index} (i64.or (local.get $o{index}) (i64.and (local.get $m{index}) (i64.sub (i64.const 0) (local.get $m{index})))))))
  (local.set $m{index} (i64.and (local.get $m{index}) (i64.sub (local.get $m{index}) (i64.const 1)))) (br $l{index})))

;;; lowest_free
;; Moves the lowest member of the rest r to the result o.
(if (i64.ne (local.get $r{index}) (i64.const 0)) (then
   (local.set $o{index} (i64.or (local.get $o{index}) (i64.and (local.get $r{index}) (i64.sub (i64.const 0) (local.get $r{index})))))
   (local.set $r{index} (i64.and (local.get $r{index}) (i64.sub (local.get $r{index}) (i64.const 1)))) (br $n)))
