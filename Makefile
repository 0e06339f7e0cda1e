# Every target works on a fresh clone: it makes the environment it needs first.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
PYTHON ?= python3
BIN := .venv/bin
CATALOGS := $(patsubst %.po,%.mo,$(wildcard handlers/ui/locales/*/LC_MESSAGES/tablee.po))

.PHONY: help
help: ## show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/python:
	$(PYTHON) -m venv .venv

# The whole of dev.txt holds play.txt, so a developer's environment plays too.
.venv/.play: requirements/play.txt | $(BIN)/python
	@test -e .venv/.dev || $(BIN)/pip install -q --require-hashes -r requirements/play.txt
	@touch $@

.venv/.dev: requirements/dev.txt | $(BIN)/python
	$(BIN)/pip install -q --require-hashes -r requirements/dev.txt
	@touch $@

%.mo: %.po | .venv/.play
	$(BIN)/pybabel -q compile --input-file $< --output-file $@ --domain tablee
