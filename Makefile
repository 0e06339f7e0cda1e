# Every target works on a fresh clone: it makes the environment it needs first.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
PYTHON ?= python3
BIN := .venv/bin
# ARGS reaches a program as it was typed: no recipe holds it, and make does not expand it (see ops/args.py).
export TABLEE_ARGS := $(value ARGS)
unexport ARGS
CATALOGS := $(patsubst %.po,%.mo,$(wildcard handlers/ui/locales/*/LC_MESSAGES/tablee.po))

.PHONY: help
help: ## show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/python:
	$(PYTHON) -m venv .venv

# The whole of dev.txt holds play.txt, so a developer's environment plays too.
.venv/.play: requirements/play.txt | $(BIN)/python
	@test -e .venv/.dev || echo "Installing what it takes to play; this takes a minute, once."
	@test -e .venv/.dev || $(BIN)/pip install -q --require-hashes -r requirements/play.txt
	@touch $@

.venv/.dev: requirements/dev.txt | $(BIN)/python
	@echo "Installing what it takes to develop; this takes a minute or two, once."
	@$(BIN)/pip install -q --require-hashes -r requirements/dev.txt
	@touch $@

%.mo: %.po | .venv/.play
	$(BIN)/pybabel -q compile --input-file $< --output-file $@ --domain tablee

.PHONY: play
play: .venv/.play $(CATALOGS) ## play on a local page, without Telegram (ARGS="--port 9000 --people 4")
	@$(BIN)/python -m ops.args ops.play

.PHONY: poll
poll: .venv/.play $(CATALOGS) ## run the bot by long polling; set TELEGRAM_TOKEN and TELEGRAM_BOT_USERNAME
	@$(BIN)/python -m handlers.poll

.PHONY: test
test: check unit browser ## everything that must hold

.PHONY: check
check: .venv/.dev $(CATALOGS) ## style, types and the direction of imports
	$(BIN)/ruff check -q
	$(BIN)/ruff format -q --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Amazon's own DynamoDB, for tests on this machine; where it cannot be had, its tests say so and are skipped.
.PHONY: dynamodb-local
dynamodb-local: .venv/.dev
	@$(BIN)/python -m testing.dynamodb_local || true

.PHONY: unit
unit: .venv/.dev .venv-deploy/.done dynamodb-local $(CATALOGS)
	$(BIN)/pytest -q -n auto --dist loadfile -m "not browser and not long"

.PHONY: browser
browser: .venv/.dev $(CATALOGS)
	$(BIN)/pytest -q -m browser

.PHONY: deployable
deployable: .venv/.dev .venv-deploy/.done $(CATALOGS) ## deploy with the real SAM to a pretended AWS: a minute or two
	$(BIN)/pytest -q -m long tests/ops

.PHONY: test-long
test-long: .venv/.dev .venv/.fuzz .venv-deploy/.done dynamodb-local $(CATALOGS) ## what takes too long for every day
	$(BIN)/pytest -q -n auto -m long
	$(BIN)/python -m tests.load

.PHONY: bench
bench: .venv/.dev $(CATALOGS) ## measure speed and sizes
	$(BIN)/python -m bench

.PHONY: format
format: .venv/.dev ## put the code into shape
	$(BIN)/ruff check -q --fix
	$(BIN)/ruff format -q

.PHONY: clean
clean: ## forget environments and caches; matches in .data stay
	rm -rf .venv .venv-deploy .aws-sam .mypy_cache .ruff_cache .pytest_cache .hypothesis .corpus .import_linter_cache
	rm -f $(CATALOGS)

include mk/aws.mk
include mk/fuzz.mk
