# Every target does its own set-up: a virtual environment in .venv, filled again only when a requirements file changed.
# A fresh machine needs make and Python 3.11 or newer with venv; nothing else.

PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.for-run
DEV := .venv/.for-tests
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
PYTEST := $(BIN)/python -m pytest
DEPLOYED := $(BIN)/python -m tests.support.deployment
ROUNDS ?= 20
export PYTHONUNBUFFERED := 1
export PYTHONPATH := $(CURDIR)

.DEFAULT_GOAL := help
.PHONY: help run talk demo test check field test-races mutants certify certify-random bench format clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(RUN) ## start the whole system on this machine and print how to reach it
	@$(BIN)/python -m chronicle.supervisor

talk: $(RUN) ## converse with what make run has started, from this terminal
	@CHRONICLE_TLS=0 $(BIN)/python manage.py talk

demo: $(RUN) ## speak one whole order to a fresh system and show what was bought (FAULT=payment_failed or checkout_refused)
	@$(BIN)/python -m chronicle.demo

test: $(DEV) ## every test, on SQLite and PostgreSQL (EVERYWHERE=1: each on both, where it asks anything of one)
	@$(BIN)/python -m tests.support.legs $(if $(EVERYWHERE),--everywhere)

check: $(DEV) ## formatter, linter, types, import contracts, migrations, deployment checks
	@echo "format and lint"; $(BIN)/ruff format --check --quiet . && $(BIN)/ruff check --quiet .
	@echo "import contracts"; $(BIN)/lint-imports --no-logo > .venv/lint-imports.log || { cat .venv/lint-imports.log; exit 1; }
	@echo "types (the first run takes a minute)"; $(DEPLOYED) -m mypy --no-error-summary
	@echo "migrations and deployment checks"; $(DEPLOYED) manage.py makemigrations --check --dry-run --verbosity 0
	@$(DEPLOYED) manage.py check --deploy --fail-level WARNING > /dev/null
	@echo "check: clean"

field: $(DEV) ## read every public sentence and our own, and refuse any dangerous reading (ONLY="B05 --show wrong")
	@$(BIN)/python -m tests.field $(ONLY)

test-races: $(DEV) ## the race and stack tests, twenty times over on both databases (ROUNDS=n for another number)
	@$(BIN)/python -m tests.support.rounds $(ROUNDS)

mutants: $(DEV) ## remove every guard of money and recovery once; the test that names it must fail
	@$(PYTEST) -q tests/mutants

SIZE ?= full
CERTIFY := $(BIN)/python -m chronicle.certify
NUMBERS := .certification/$(SIZE)

certify: $(DEV) ## kill, freeze, rewind and confuse the order at every point, on both databases (SIZE=quick, full or all)
	@$(CERTIFY) --size $(SIZE) --results $(NUMBERS)-sqlite.json
	@$(BIN)/python -m tests.support.postgres $(CERTIFY) --size $(SIZE) --results $(NUMBERS)-postgresql.json
	@[ $(SIZE) = quick ] || $(CERTIFY) --page $(NUMBERS)-sqlite.json $(NUMBERS)-postgresql.json > docs/certification.md

TURNS ?= 10000
SEED ?= 1

certify-random: $(DEV) ## live random days against the order, judged at every step (TURNS=10000 SEED=1)
	@$(CERTIFY) --random --turns $(TURNS) --seed $(SEED)

MEASURED := .bench
BENCH := $(BIN)/python -m chronicle.bench

bench: $(DEV) ## measure what understanding costs as a share of a bare turn, on both databases
	@DATABASE_URL= $(BENCH) --results $(MEASURED)/sqlite.json
	@$(BIN)/python -m tests.support.postgres $(BENCH) --results $(MEASURED)/postgresql.json
	@$(BENCH) --page $(MEASURED)/sqlite.json $(MEASURED)/postgresql.json > docs/benchmarks.md

format: $(DEV) ## let the formatter and the linter mend what they can
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

clean: ## remove what the targets above have made, the data directory included
	rm -rf .venv .data .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis staticfiles
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Python 3.11 or newer is needed as '$(PYTHON)' (found: $$($(PYTHON) --version 2>&1 || true))." ; \
	  echo "Debian and Ubuntu: apt-get install python3 python3-venv. Another one: make PYTHON=/path/to/python3.11 ..." ; exit 1 ; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' comes without venv. Debian and Ubuntu: apt-get install python3-venv" ; exit 1 ; }
	@echo "making a virtual environment in .venv"
	@$(PYTHON) -m venv .venv

$(RUN): requirements.txt | $(BIN)/python
	@echo "installing what the service needs (a minute on the first run)"
	@$(PIP) install -r requirements.txt
	@touch $@

$(DEV): tests/requirements.txt $(RUN)
	@echo "installing what the tests and checks need (half a minute on the first run)"
	@$(PIP) install -r tests/requirements.txt
	@touch $@
