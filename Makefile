# What people do with this repository. `make help` lists it.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help setup model demo test test-slow survival lint types bench results results-check paper paper-check clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "BeliefMerge needs Python 3.11 or newer (set PYTHON=...)")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,joblib,submitit,local,postgres,s3,embeddings]'
	@touch $@

setup: $(VENV)/.installed  ## make .venv and install everything, exact versions

model: setup  ## fetch the local model's weights (98 MB, once); tests that need them are skipped without
	$(BIN)/python -m beliefmerge model fetch

demo: setup  ## merge the two sample sessions, then MergeBench's panel at 400 tokens
	$(BIN)/python -m beliefmerge merge examples/sessions/* --query "What do we deploy, where, and when?"
	$(BIN)/python -m mergebench arm=panel budget=400

test: setup  ## every test that needs no more than a minute or two
	$(BIN)/python -m pytest -n 2 -m 'not slow'

test-slow: setup  ## the long suites too
	$(BIN)/python -m pytest -n 2

survival: setup  ## the ledger's long kills and power cuts
	$(BIN)/python -m pytest tests/survival

lint: setup  ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup  ## mypy --strict
	$(BIN)/mypy

bench: setup  ## the speeds the library promises, each beside a reference; docs/benchmarks.md
	$(BIN)/python -m benchmarks

results: setup  ## recompute results/published (DATA=DIR: where LoCoMo and RAMDocs are)
	$(BIN)/python scripts/run_published.py $(if $(DATA),--data $(DATA))

results-check: setup  ## make a few published runs of each experiment again and compare
	$(BIN)/python scripts/check_results.py --sample $(if $(DATA),--data $(DATA))

paper: setup  ## figures, tables and the PDF from results/published, and what README.md and docs quote
	$(BIN)/python -m paper.build

paper-check: setup  ## make all of it anew and compare every byte
	$(BIN)/python -m paper.build --check

clean:  ## remove what can be made again
	rm -rf $(VENV) .pytest_cache .hypothesis .mypy_cache .ruff_cache build dist *.egg-info
