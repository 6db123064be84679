# Nothing but Python 3.11 (or later), make and PyPI is assumed.  `make help` lists the targets.
SHELL := /bin/sh
.DEFAULT_GOAL := help

VENV  := .venv
BIN   := $(VENV)/bin
READY := $(VENV)/.ready
# The first interpreter that is new enough and can make virtual environments; `make PYTHON=... setup` names another.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
	$$p -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
# A library is checked with each game that uses it.
GAMES  := $(patsubst %/game.yaml,%,$(shell grep -l '^rulekit: *game' games/*/game.yaml examples/*/game.yaml 2>/dev/null))
TESTED := $(sort $(patsubst %/situations/,%,$(dir $(wildcard games/*/situations/*.yaml examples/*/situations/*.yaml))))
SEATED := $(sort $(wildcard games/*/situations/*seats.yaml examples/*/situations/*seats.yaml))

# Containers often forbid bytecode. Then each process of the tests compiles all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup play terminal web messages test test-all lint types imports check forms situations reversals seats unit unit-browser unit-rest unit-engine unit-play unit-games unit-compiler unit-server unit-runtime unit-texts browser random wheel-test bench pairs clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: $(READY)  ## the virtual environment, with rulekit and the tools in it

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or later with venv was found; try: make PYTHON=/path/to/python3.11 setup"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

play: $(READY)  ## a table in the browser; without a terminal a game plays by itself and is printed
	@if [ -t 0 ]; then \
		$(BIN)/rulekit table; \
	else \
		$(BIN)/rulekit play sphacteria --seat search:easy --seed 425; \
	fi

terminal: $(READY)  ## Sphacteria in the terminal: you are Athens, the machine is Sparta
	$(BIN)/rulekit play sphacteria --seat athens=human --seat sparta=search

WEB := web/node_modules/.package-lock.json
$(WEB): web/package-lock.json
	@! command -v npm >/dev/null || (cd web && npm ci --ignore-scripts --silent --no-audit --no-fund)

web: $(WEB)  ## builds the browser client: what rulekit/server/static holds
	cd web && npm run --silent types && npm run --silent build

LOCALE := rulekit/common/locale
messages: $(READY)  ## collects the messages of the source in the catalogues, and builds these
	@mkdir -p build
	$(BIN)/python -m babel.messages.frontend --quiet extract --no-location --mapping tools/messages.cfg \
		--keywords pgettext:1c,2 --output build/rulekit.pot rulekit
	$(BIN)/pybabel --quiet update --domain rulekit --input-file build/rulekit.pot --output-dir $(LOCALE) --width 120 \
		--no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
	$(BIN)/pybabel --quiet compile --domain 'rulekit argparse' --directory $(LOCALE)

# Makes these targets side by side, all of them even if one fails, and then prints the slowest tests.
DURATIONS := $(CURDIR)/build/durations
timed = rm -rf $(DURATIONS); RULEKIT_DURATIONS=$(DURATIONS) $(MAKE) --no-print-directory -k -j4 --output-sync=target $(1); \
	status=$$?; $(BIN)/python tests/slowest.py $(DURATIONS); exit $$status

PARTS := check types lint imports unit-server unit-play unit-engine unit-runtime unit-games unit-compiler unit-rest unit-texts situations
test: $(READY) $(WEB)  ## lint, types, imports, games, situations, and all tests but those that take long
	@$(call timed,FORMS=forms ONLY='-m "not long"' $(PARTS))

test-all: $(READY) $(WEB)  ## everything: what CI runs; also the tests that take long, a browser, the wheel, what seats must not do
	@$(call timed,FORMS=forms SEAT_RUNS=3 wheel-test unit-browser $(PARTS) seats)

PROSE := $(wildcard *.md) docs benchmarks tools tests rulekit
PENDING := tools/prose_pending.txt
lint: $(READY)  ## ruff for Python; the prose of pages and docstrings; Biome for TypeScript, where web/node_modules is there
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/python tools/prose.py --each $(if $(wildcard $(PENDING)),--pending $(PENDING)) $(PROSE)
	@if [ -x web/node_modules/.bin/biome ]; then cd web && npm run --silent lint; \
	else echo "web/node_modules is missing (make web): the TypeScript is not checked"; fi

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

check: $(READY) | $(FORMS)
	$(BIN)/rulekit check --strict $(GAMES)

# Before all parts of the tests, so that not each of them makes what it wants first: the traced form, the native module.
forms: $(READY)
	@$(BIN)/python tests/forms.py $(wildcard games/amphipolis games/sphacteria)

situations: $(READY) | check
	$(if $(TESTED),$(BIN)/rulekit test $(TESTED),@echo "no game with situations here")

# What the situations of the games cover, turned round: all of it takes an hour. make reversals GAME=sphacteria ID="S-1 S-2" JOBS=2
TURNED := $(notdir $(patsubst %/reversals.yaml,%,$(wildcard games/*/reversals.yaml)))
reversals: $(READY)  ## turns round each covered rule of the games (GAME=, ID=): which of its situations notice
	@failed=0; for game in $(or $(GAME),$(TURNED)); do \
		$(BIN)/rulekit reversals games/$$game --keep build/reversals/$$game.json $(and $(ID),--id $(ID)) $(and $(JOBS),--jobs $(JOBS)) || failed=1; \
	done; exit $$failed

# So often each seat is asked.
SEAT_RUNS ?= 20
seats: $(READY) | check  ## what seats must not do, in the games
	$(foreach file,$(SEATED),$(BIN)/rulekit test --seats $(SEAT_RUNS) --game $(patsubst %/situations/,%,$(dir $(file))) --situations $(file) &&) true

unit: unit-browser unit-engine unit-play unit-games unit-compiler unit-rest unit-runtime unit-texts unit-server

# Parts of which none is so long that a processor waits for it at the end; those that wait themselves (for browsers, servers, workers) begin
# first, all behind `check`: the games that it compiles lie in the cache for them.
IN_ENGINE   := tests/engine tests/project
IN_PLAY     := tests/presentation tests/language
IN_GAMES    := tests/cli tests/games
IN_COMPILER := tests/compiler --ignore=tests/compiler/source --ignore=tests/compiler/syntax
IN_RUNTIME  := tests/adapters tests/experiments tests/runtime
IN_TEXTS    := tests/hostile tests/compiler/source tests/compiler/syntax
# To import the plugin of schemathesis takes two seconds; only tests/server has tests of its kind.
# ONLY: which tests of a part, as options of pytest.
PLAIN    := -m pytest $(ONLY) -p no:schemathesis
unit-engine: $(READY) | check
	$(BIN)/python $(PLAIN) $(IN_ENGINE)

unit-play: $(READY) | check
	$(BIN)/python $(PLAIN) $(IN_PLAY)

unit-games: $(READY) | check
	$(BIN)/python $(PLAIN) $(IN_GAMES)

unit-compiler: $(READY) | check
	$(BIN)/python $(PLAIN) $(IN_COMPILER)

unit-runtime: $(READY) | check
	$(BIN)/python $(PLAIN) $(IN_RUNTIME)

unit-texts: $(READY) | check
	$(BIN)/python $(PLAIN) $(IN_TEXTS)

unit-server: $(READY) | check
	$(BIN)/python -m pytest $(ONLY) tests/server

unit-rest: $(READY) | check
	$(BIN)/python $(PLAIN) tests $(addprefix --ignore=,$(IN_ENGINE) $(IN_PLAY) $(IN_GAMES) tests/compiler $(IN_RUNTIME) tests/hostile tests/server tests/browser)

unit-browser: $(READY) | check  ## whole games in a real Chromium; without one they are skipped, but in CI one is installed
	@if [ -n "$$CI" ]; then $(BIN)/python tests/browser/chromium.py; fi
	$(BIN)/python $(PLAIN) tests/browser

browser: $(READY)  ## the same with every scenario, each to its end
	RULEKIT_WHOLE=1 $(BIN)/python $(PLAIN) tests/browser

random: $(READY)  ## many more of the random cases: make random TIMES=100
	RULEKIT_TIMES=$(or $(TIMES),10) $(BIN)/python -m pytest tests/random_rules tests/compiler/check/test_fuzz.py

pairs: $(READY)  ## twin questions of all games, hints and odds too: make pairs QUESTIONS=5000
	@for game in $(GAMES); do $(BIN)/python -m tests.engine.knowledge.pairs $$game $(or $(QUESTIONS),500) 2 || exit 1; done

wheel-test: $(READY) $(WEB)  ## builds the wheel and plays the games from it, with the checkout out of sight
	@PYTHON=$(CURDIR)/$(BIN)/python sh tests/wheel.sh

bench: $(READY)  ## the table of speeds, as ratios to plain Python written by hand
	$(BIN)/python benchmarks/bench.py

clean:  ## removes what was built
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis *.egg-info
