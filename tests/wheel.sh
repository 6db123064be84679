#!/bin/sh
# Takes the checkout, builds the wheel, installs it into a new environment elsewhere, and checks and plays a game there.
# PYTHON: the interpreter that makes the environment. The checkout is not on the path, and not the working directory.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$PYTHON" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/dist" "$root"
"$PYTHON" -m zipfile -l "$work"/dist/*.whl > "$work/list"
grep -q 'rulekit/_schema/' "$work/list" || { echo "the wheel carries no schema"; exit 1; }
grep -q 'rulekit/server/static/draw.js' "$work/list" || { echo "the wheel cannot draw"; exit 1; }
grep -q 'rulekit/server/static/licences.txt' "$work/list" || { echo "the wheel carries the work of others without its licences"; exit 1; }
grep -q 'rulekit/common/locale/fr/LC_MESSAGES/rulekit.mo' "$work/list" || { echo "the wheel speaks no French"; exit 1; }
grep -q 'rulekit/compiler/backends/wasm/wat/play.wat' "$work/list" || { echo "the wheel has no WebAssembly runtime"; exit 1; }
if grep -Eq '(^| )(tests|benchmarks|examples|docs)/' "$work/list"; then echo "the wheel carries more than the package"; exit 1; fi
"$PYTHON" -m venv --without-pip "$work/env"
"$PYTHON" -m pip --python "$work/env/bin/python" install --quiet --no-compile --disable-pip-version-check "$work"/dist/*.whl
cd "$work"
HOME="$work" RULEKIT_CACHE="$work/cache" PYTHONPATH= ROOT="$root" "$work/env/bin/python" - <<'PYTHON'
import os, pathlib, sys
import rulekit
root = pathlib.Path(os.environ["ROOT"]).resolve()
here = pathlib.Path(rulekit.__file__).resolve()
assert root not in here.parents, f"rulekit comes from the checkout: {here}"
assert not any(pathlib.Path(p or ".").resolve() == root for p in sys.path), "the checkout is on the path"
PYTHON
run() { HOME="$work" RULEKIT_CACHE="$work/cache" PYTHONPATH= "$work/env/bin/rulekit" "$@"; }
run --help > /dev/null
run --help --lang fr | grep -q 'commandes :'
if [ -f "$root/games/sphacteria/game.yaml" ]; then
  run check sphacteria
  run play sphacteria --seat athens=random --seat sparta=random --seed 425 < /dev/null > "$work/log"
  tail -n 3 "$work/log"
  run rulings amphipolis | tail -n 1
fi
run new "$work/mine" > /dev/null
run check --strict "$work/mine" > /dev/null || { echo "a new game of the wheel is not clean"; exit 1; }
# What the pages name is there, or is said to be in the repository alone; an example can be copied, changed, and checked.
run where
for part in games examples schema docs; do test -d "$(run where $part)" || { echo "where $part leads to nothing"; exit 1; }; done
for page in "$root"/README.md "$root"/docs/*.md; do
  grep -oE '(examples|games|schema)/[a-z_]+[A-Za-z0-9_./]*[a-z_]' "$page" | sort -u | while read -r named; do
    case $named in games/potidaea*|games/example*) continue;; esac  # what a page has its reader write
    test -e "$root/$named" || continue  # words that are no path
    base=$(run where "${named%%/*}")
    test -e "$base/${named#*/}" || { echo "$page names $named, which the wheel has not"; exit 1; }
  done
  name=$(basename "$page")
  test "$name" = README.md || test -f "$(run where docs)/$name" || { echo "the wheel has no page $name"; exit 1; }
done
cp -r "$(run where skirmish)" "$work/mine"
HOME="$work" RULEKIT_CACHE="$work/cache" PYTHONPATH= "$work/env/bin/python" - <<'PYTHON'
import rulekit
module = rulekit.load("skirmish").native()
assert type(module).__name__ == "Native", f"no WebAssembly module: {module}"
PYTHON
run check --strict "$work/mine"
run test "$work/mine"
run test skirmish
run check peloponnesian
echo "wheel-test: fine"
