;; The head of a module: types of functions, memory, the table of functions, globals.

;;; head
(type $block (func (result i64))) (type $resume (func (param i64) (result i64))) (type $options (func))
(memory (export "memory") {pages} {max_pages})
(table $functions {functions} {functions} funcref)
{exported}
(global $layer_end (export "layer_end") (mut i32) (i32.const {layers}))
(global $begun (export "begun") (mut i32) (i32.const 0))
(global $turn (export "turn") (mut i32) (i32.const {seed})) (global $score (export "score") (mut i32) (i32.const -1))
(global $done (export "done") (mut i32) (i32.const 0)) (global $mark (mut i32) (i32.const {marks}))
(global $ticks (mut i64) (i64.const 0)) (global $fuel (mut i64) (i64.const 0))
(global $over (mut i32) (i32.const 0)) (global $bump (mut i32) (i32.const {scratch}))
(global $stack i32 (i32.const {stack}))
