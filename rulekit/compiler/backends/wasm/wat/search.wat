;; The tree of choices. See `rulekit.engine.search.mcts`, which it equals number by number.
;;
;; A node has 40 bytes: key (8), worth (8), visits, times offered, first child, next sibling (4
;; each), and growth of the lead (8). Node 0 is the root.

;;; functions
(global $aim (export "aim") (mut i32) (i32.const -1)) (global $scale (export "scale") (mut f64) (f64.const 1))
(global $stretch (export "stretch") (mut i64) (i64.const 0)) (global $tree (mut i64) (i64.const 0))
(global $worlds (export "worlds") (mut i32) (i32.const 0)) (global $supposed (export "supposed") (mut i64) (i64.const 1))
(global $traits (export "traits") (mut i32) (i32.const 0)) (global $nodes (export "nodes") (mut i32) (i32.const 0))
(global $visits (export "visits") (mut i64) (i64.const 0)) (global $known (mut i32) (i32.const 1))
(global $only (export "only") (mut i64) (i64.const 0))
(global $chance (mut i64) (i64.const 0)) (global $drawn (mut i64) (i64.const 0)) (global $whole (mut i32) (i32.const 0))
(global $node (mut i32) (i32.const 0)) (global $inside (mut i32) (i32.const 0))

;; The greater number.
(func $greater (param $a i64) (param $b i64) (result i64)
 (select (local.get $a) (local.get $b) (i64.gt_s (local.get $a) (local.get $b))))

;; A random word of the search.
(func $luck (result i64) (call $mix (global.get $chance) (global.get $drawn))
 (global.set $drawn (i64.add (global.get $drawn) (i64.const 1))))

;; The low bits of a random word.
(func $part (param $bits i64) (result i64) (i64.and (local.get $bits) (i64.const {share_mask})))

;; The number of options of a sort (-1: of all).
(func $count_of (param $only i32) (result i64) (local $p i32) (local $n i64)
 {loop} (block $s {skip} (local.set $n (i64.add (local.get $n) {counts}))) {each} (br $l)))
 (local.get $n))

;; A random option of a sort.
(func $pick_of (param $bits i64) (param $total i64) (param $only i32) (result i64)
 (local $p i32) (local $n i64) (local $m i64) (local $k i64)
 (local.set $k (i64.shr_u (i64.mul (i64.shr_u (local.get $bits) (i64.const 32)) (local.get $total)) (i64.const 32)))
 {loop} (block $s {skip} {picks}) {each} (br $l)))
 unreachable)

;; The highest option of a layer.
(func $highest (param $p i32) (result i64) (local $b i64) (local $m i64) (local.set $b (i64.load (local.get $p))) {top} unreachable)

;; Is an option offered?
(func $has (param $o i64) (result i32) (local $p i32) (local $d i64)
 {loop}
  (local.set $d (i64.sub (local.get $o) (i64.load (local.get $p))))
  (if (i64.lt_u (local.get $d) (i64.const {layer_bits})) (then
   (if (i64.ne (i64.and (i64.const 1) (i64.shr_u (i64.load offset=8 (i32.add (local.get $p) (i32.shl (i32.wrap_i64 (i64.shr_u (local.get $d)
    (i64.const 6))) (i32.const 3)))) (i64.and (local.get $d) (i64.const 63)))) (i64.const 0)) (then (return (i32.const 1))))))
  {each} (br $l)))
 (i32.const 0))

;; The key of a child: the option and the player.
(func $key (param $o i64) (param $who i64) (result i64) (i64.add (i64.mul (local.get $o) (i64.const {sides})) (local.get $who)))

;; The statistics of an option over all positions: the sum of its values, and how often.
(func $trait (param $o i64) (param $who i64) (result i32)
 (i32.add (global.get $traits) (i32.shl (i32.wrap_i64 (i64.and (call $key (local.get $o) (local.get $who)) (i64.const {trait_mask})))
  (i32.const 4))))

;; The address of a node.
(func $at (param $n i32) (result i32) (i32.add (global.get $nodes) (i32.mul (local.get $n) (i32.const {node_bytes}))))

;; A choice outside of the tree.
(func $policy (param $total i64) (param $who i64) (result i64)
 (local $bits i64) (local $part i64) (local $n i64) (local $p i32) (local $s i32) (local $o i64) (local $x i32) (local $y i32)
 (local.set $bits (call $luck)) (local.set $part (call $part (local.get $bits)))
 (if (global.get $whole) (then (local.set $n (call $count_of (i32.const {add_sort})))
  (if (i64.ne (local.get $n) (i64.const 0)) (then
   (return (call $pick_of (local.get $bits) (local.get $n) (i32.const {add_sort})))))))
 {loop}
  (local.set $s {is_sort})
  (if (i32.and (i32.eq (local.get $s) (i32.const {leave_sort})) (i64.lt_u (local.get $part) (i64.const {pass_share}))) (then
   (return (i64.load (local.get $p)))))
  (if (i32.and (i32.eq (local.get $s) (i32.const {number_sort})) (i64.lt_u (local.get $part) (i64.const {utmost_share}))) (then
   (return (call $highest (local.get $p)))))
  {each} (br $l)))
 (local.set $o (call $pick_of (local.get $bits) (local.get $total) (i32.const -1)))
 (local.set $bits (call $luck))
 (if (i64.lt_u (call $part (local.get $bits)) (i64.const {better_share})) (then
  (local.set $n (call $pick_of (local.get $bits) (local.get $total) (i32.const -1)))
  (local.set $x (call $trait (local.get $o) (local.get $who))) (local.set $y (call $trait (local.get $n) (local.get $who)))
  (if (f64.gt (f64.div (f64.load (local.get $y)) (f64.load offset=8 (local.get $y)))
   (f64.div (f64.load (local.get $x)) (f64.load offset=8 (local.get $x)))) (then (return (local.get $n))))))
 (local.get $o))

;; The child of the current node with a key, or 0.
(func $child (param $key i64) (result i32) (local $child i32)
 (local.set $child (i32.load offset=24 (call $at (global.get $node))))
 (block $b (loop $l
  (br_if $b (i32.eqz (local.get $child)))
  (br_if $b (i64.eq (i64.load (call $at (local.get $child))) (local.get $key)))
  (local.set $child (i32.load offset=28 (call $at (local.get $child)))) (br $l)))
 (local.get $child))

;; Adds a child and makes it current.
(func $born (param $key i64) (local $c i32) (local $here i32)
 (local.set $here (call $at (global.get $node)))
 (local.set $c (call $at (global.get $known)))
 (i64.store (local.get $c) (local.get $key)) (f64.store offset=8 (local.get $c) (f64.const 0))
 (i32.store offset=16 (local.get $c) (i32.const 0)) (i32.store offset=20 (local.get $c) (i32.const 1))
 (i32.store offset=24 (local.get $c) (i32.const 0)) (i32.store offset=28 (local.get $c) (i32.load offset=24 (local.get $here)))
 (f64.store offset=32 (local.get $c) (f64.const 0))
 (i32.store offset=24 (local.get $here) (global.get $known))
 (global.set $node (global.get $known)) (global.set $known (i32.add (global.get $known) (i32.const 1)))
 (global.set $inside (i32.const 0)))

;; A choice inside of the tree: the wanted option, the best child by UCB, or a new child.
(func $choose (param $total i64) (param $who i64) (param $wanted i64) (result i64)
 (local $best i32) (local $most f64) (local $known i64) (local $child i32) (local $c i32) (local $o i64) (local $x f64) (local $n i32)
 (local $here i32)
 (if (i64.ne (local.get $wanted) (i64.const 0)) (then (if (call $has (local.get $wanted)) (then
  (local.set $child (call $child (call $key (local.get $wanted) (local.get $who))))
  (if (local.get $child) (then
   (local.set $c (call $at (local.get $child)))
   (i32.store offset=20 (local.get $c) (i32.add (i32.load offset=20 (local.get $c)) (i32.const 1)))
   (global.set $node (local.get $child)) (return (local.get $wanted))))
  (if (i32.lt_u (global.get $known) (i32.const {max_nodes})) (then
   (call $born (call $key (local.get $wanted) (local.get $who))) (return (local.get $wanted))))))))
 (local.set $most (f64.const -10)) (local.set $here (call $at (global.get $node)))
 (local.set $child (i32.load offset=24 (local.get $here)))
 (block $b (loop $l (br_if $b (i32.eqz (local.get $child)))
  (local.set $c (call $at (local.get $child)))
  (local.set $o (i64.div_u (i64.load (local.get $c)) (i64.const {sides})))
  (if (i64.eq (i64.rem_u (i64.load (local.get $c)) (i64.const {sides})) (local.get $who)) (then (if (call $has (local.get $o)) (then
   (local.set $known (i64.add (local.get $known) (i64.const 1)))
   (i32.store offset=20 (local.get $c) (i32.add (i32.load offset=20 (local.get $c)) (i32.const 1)))
   (local.set $n (i32.load offset=16 (local.get $c)))
   (local.set $x (f64.const 9))
   (if (local.get $n) (then (local.set $x (f64.add (f64.div (f64.load offset=8 (local.get $c)) (f64.convert_i32_u (local.get $n)))
    (f64.mul (f64.const {explore}) (f64.sqrt (f64.div
     (f64.convert_i32_u (i32.sub (i32.const 32) (i32.clz (i32.load offset=20 (local.get $c))))) (f64.convert_i32_u (local.get $n)))))))))
   (if (f64.gt (local.get $x) (local.get $most)) (then (local.set $best (local.get $child)) (local.set $most (local.get $x))))))))
  (local.set $child (i32.load offset=28 (local.get $c))) (br $l)))
 (if (i64.lt_u (local.get $known) (local.get $total)) (then
 (if (f64.lt (f64.convert_i64_u (local.get $known)) (f64.ceil (f64.mul (f64.const {width})
  (f64.sqrt (f64.convert_i32_u (i32.add (i32.load offset=16 (local.get $here)) (i32.const 1))))))) (then
 (if (i32.or (i32.lt_u (global.get $known) (i32.const {max_nodes})) (i32.eqz (local.get $best))) (then
  (local.set $o (call $policy (local.get $total) (local.get $who)))
  (local.set $child (call $child (call $key (local.get $o) (local.get $who))))
  (if (i32.eqz (local.get $child)) (then (call $born (call $key (local.get $o) (local.get $who))) (return (local.get $o))))
  (if (i32.eqz (local.get $best)) (then (local.set $best (local.get $child))))))))))
 (global.set $node (local.get $best))
 (i64.div_u (i64.load (call $at (local.get $best))) (i64.const {sides})))

;; Stores the lead of each side over the best other side.
(func $leads (param $at i32) {locals_t}
 (if (i32.lt_s (global.get $aim) (i32.const 0)) (then {zeros}) (else
  (global.set $bump (i32.const {scratch})) {totals} {leads})))

;; Adds the value of the position, with a weight, to the values of the iteration.
(func $add (param $w f64) (param $at i32) (local $x i64) (local $g f64)
 (call $leads (i32.const {leads_at}))
 {grown}
 (if (i64.le_s {pc} (i64.const 0)) (then
  (local.set $x (i64.load offset={winner} (i32.const 0)))
  (if (i64.ge_s (local.get $x) (i64.const 0)) (then {ended})) return))
 {valued})

;; A new tree.
(func (export "plant") (param $seed i64)
 (global.set $tree (local.get $seed)) (global.set $visits (i64.const 0)) (global.set $known (i32.const 1)) (call $line_plant))

;; Stores the leads of each root position.
(func (export "suppose") (local $i i64) (local $at i32)
 (local.set $at (global.get $worlds)) (global.set $fuel (global.get $max_fuel))
 (block $b (loop $l (br_if $b (i64.ge_u (local.get $i) (global.get $supposed)))
  (memory.copy (i32.const 0) (local.get $at) (i32.const {state_bytes})) (call $fresh)
  (call $leads (i32.add (local.get $at) (i32.const {state_bytes})))
  (local.set $at (i32.add (local.get $at) (i32.const {frame_bytes}))) (local.set $i (i64.add (local.get $i) (i64.const 1))) (br $l))))

;; Runs n iterations.
(func (export "grow") (param $n i32)
 (block $b (loop $l (br_if $b (i32.eqz (local.get $n)))
  (global.set $fuel (global.get $max_fuel)) (global.set $visits (i64.add (global.get $visits) (i64.const 1)))
  (call $visit (i64.sub (global.get $visits) (i64.const 1)))
  (local.set $n (i32.sub (local.get $n) (i32.const 1))) (br $l))))

;; One iteration.
(func $visit (param $v i64)
 (local $at i32) (local $seed i64) (local $who i64) (local $total i64) (local $o i64) (local $path i32) (local $made i32) (local $c i32)
 (local $step i32) (local $stretches i32) (local $x f64) (local $me i64) (local $lines i32) (local $own i32) (local $wanted i64)
 (local.set $at (i32.add (global.get $worlds)
  (i32.mul (i32.wrap_i64 (i64.rem_u (local.get $v) (global.get $supposed))) (i32.const {frame_bytes}))))
 (memory.copy (i32.const 0) (local.get $at) (i32.const {state_bytes}))
 (local.set $seed (call $mix (global.get $tree) (local.get $v)))
 (i64.store offset={seed} (i32.const 0) (local.get $seed)) (i64.store offset={counter} (i32.const 0) (i64.const 0))
 (i64.store offset={script} (i32.const 0) (i64.const 0))
 (global.set $chance (call $mix (local.get $seed) (i64.const {choices_stream}))) (global.set $drawn (i64.const 0))
 (global.set $whole (i64.lt_u (call $part (call $luck)) (i64.const {whole_share})))
 {reset}
 (local.set $path (i32.const {path})) (local.set $made (i32.const {made}))
 (global.set $node (i32.const 0)) (global.set $inside (i32.const 1))
 (call $fresh) (call $list)
 (local.set $me {who}) (call $line_off)
 (if (i32.and (i64.ne (global.get $stretch) (i64.const 0)) (i64.eqz (global.get $only))) (then
  (local.set $lines (i32.const 1)) (call $line_begin (local.get $v) (call $luck))))
 (block $b (loop $l
  (br_if $b (i64.le_s {pc} (i64.const 0)))
  (if (i32.and (i32.ne (local.get $step) (i32.const 0)) (i64.eq {pc} (global.get $stretch))) (then
   (local.set $stretches (i32.add (local.get $stretches) (i32.const 1)))
   (call $add (select (f64.const {second}) (f64.const {first}) (i32.eq (local.get $stretches) (i32.const 2)))
    (local.get $at))
   (br_if $b (i32.eq (local.get $stretches) (i32.const 2)))))
  (local.set $total (call $total))
  (if (i64.eq (local.get $total) (i64.const 1)) (then (local.set $o (call $option (i64.const 0)))) (else
   (local.set $who {who})
   (local.set $own (i32.and (local.get $lines) (i32.and (i64.eq (local.get $who) (local.get $me)) (i32.eqz (local.get $stretches)))))
   (local.set $wanted (i64.const 0))
   (if (local.get $own) (then (local.set $wanted (call $line_next))) (else
    (if (i32.eqz (global.get $node)) (then (local.set $wanted (global.get $only))))))
   (if (global.get $inside) (then
    (local.set $o (call $choose (local.get $total) (local.get $who) (local.get $wanted)))
    (i32.store (local.get $path) (global.get $node)) (local.set $path (i32.add (local.get $path) (i32.const 4))))
   (else (local.set $o (local.get $wanted))
    (if (i64.eqz (local.get $wanted)) (then (local.set $o (call $policy (local.get $total) (local.get $who)))))))
   (if (local.get $own) (then (call $line_made (local.get $o))))
   (i32.store (local.get $made) (call $trait (local.get $o) (local.get $who)))
   (i32.store offset=4 (local.get $made) (i32.wrap_i64 (local.get $who)))
   (local.set $made (i32.add (local.get $made) (i32.const 8)))))
  (call $apply (local.get $o))
  (local.set $step (i32.add (local.get $step) (i32.const 1)))
  (br_if $l (i32.lt_u (local.get $step) (i32.const {max_steps})))))
 (if (i32.lt_u (local.get $stretches) (i32.const 2)) (then
  (call $add (select (f64.const {second}) (f64.const 1) (local.get $stretches)) (local.get $at))))
 (local.set $c (global.get $nodes)) (i32.store offset=16 (local.get $c) (i32.add (i32.load offset=16 (local.get $c)) (i32.const 1)))
 (local.set $at (i32.const {path}))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $at) (local.get $path)))
  (local.set $c (call $at (i32.load (local.get $at))))
  (i32.store offset=16 (local.get $c) (i32.add (i32.load offset=16 (local.get $c)) (i32.const 1)))
  (local.set $step (i32.shl (i32.wrap_i64 (i64.rem_u (i64.load (local.get $c)) (i64.const {sides}))) (i32.const 3)))
  (f64.store offset=8 (local.get $c) (f64.add (f64.load offset=8 (local.get $c)) (f64.load offset={worth_at} (local.get $step))))
  (f64.store offset=32 (local.get $c) (f64.add (f64.load offset=32 (local.get $c))
   (f64.load offset={growth_at} (local.get $step))))
  (local.set $at (i32.add (local.get $at) (i32.const 4))) (br $l)))
 (local.set $at (i32.const {made}))
 (block $b (loop $l (br_if $b (i32.ge_u (local.get $at) (local.get $made)))
  (local.set $c (i32.load (local.get $at)))
  (f64.store (local.get $c) (f64.add (f64.load (local.get $c)) (f64.load offset={worth_at}
   (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 3)))))
  (f64.store offset=8 (local.get $c) (f64.add (f64.load offset=8 (local.get $c)) (f64.const 1)))
  (local.set $at (i32.add (local.get $at) (i32.const 8))) (br $l)))
 (if (local.get $lines) (then
  (call $line_end (local.get $v) (f64.load offset={worth_at} (i32.shl (i32.wrap_i64 (local.get $me)) (i32.const 3)))))))

;;; pick_word
;; Option k, if this word of the layer holds it.
    (local.set $m (i64.load offset={offset} (local.get $p))) (local.set $n (i64.popcnt (local.get $m)))
    (if (i64.lt_u (local.get $k) (local.get $n)) (then (return (i64.add (i64.load (local.get $p))
     (i64.add (i64.const {first_bit}) (call $nth (local.get $m) (local.get $k)))))))
    (local.set $k (i64.sub (local.get $k) (local.get $n)))

;;; highest_word
;; The highest option of the layer, if this word holds it.
    (local.set $m (i64.load offset={offset} (local.get $p)))
    (if (i64.ne (local.get $m) (i64.const 0)) (then (return (i64.add (local.get $b)
     (i64.sub (i64.const {last_bit}) (i64.clz (local.get $m)))))))

;;; ended
;; The value of an ended game for one side: it won, or it did not.
(f64.store offset={worth_at} (i32.const 0) (f64.add (f64.load offset={worth_at} (i32.const 0))
   (select (local.get $w) (f64.neg (local.get $w)) (i64.eq (local.get $x) (i64.const {side})))))

;;; grown
;; The gain of one side's lead since the root, weighted.
(local.set $g (f64.sub (f64.load offset={lead_at} (i32.const 0))
   (f64.load offset={lead_before} (local.get $at))))
  (f64.store offset={lead_at} (i32.const 0) (local.get $g))
  (f64.store offset={growth_at} (i32.const 0) (f64.add (f64.load offset={growth_at} (i32.const 0))
   (f64.mul (local.get $w) (local.get $g))))

;;; valued
;; The value of an unfinished game for one side, from the gain of its lead.
(local.set $g (f64.load offset={lead_at} (i32.const 0)))
  (f64.store offset={worth_at} (i32.const 0) (f64.add (f64.load offset={worth_at} (i32.const 0)) (f64.mul (local.get $w)
   (f64.div (local.get $g) (f64.add (global.get $scale) (f64.abs (local.get $g)))))))
