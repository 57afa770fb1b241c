# FaithView: `make run` shows it, `make test` tests it. Needs Python 3.11 or newer with pip, and nothing else.
#
# Everything is installed into .venv from the lock files, hash-checked. Files named .venv/.done-* mark finished steps, so
# that a second make goes straight to work; delete .venv (`make clean`) to start afresh.

SHELL = /bin/sh
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# PORT=8600 make run                 another port for the dashboard
# PYTEST_ARGS="-k store" make test   arguments for pytest
# PYTEST_PROCESSES= make test        all tests in one process, which is slower and easier to read
# PYTHON=/path/to/python make run    the Python that .venv is made from
# LOCK_ARGS=--upgrade make lock      newest versions instead of the least change
PORT ?=
PYTEST_ARGS ?=
# One file's tests stay in one process, for they share a browser or a judged store.
PYTEST_PROCESSES ?= -n 2 --dist loadfile
PYTHON ?=
LOCK_ARGS ?=

# Tests start hundreds of Python processes; without bytecode on disk each compiles FaithView anew.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet
# --only-binary: nothing in the locks has to be compiled, and a build would run code that no hash covers.
# --no-deps: a lock is complete, and leaves out what a package asks for and is not used here.
PIP_LOCKED := $(PIP_INSTALL) --require-hashes --only-binary :all: --no-deps
PYTEST := $(BIN)/python -m pytest $(PYTEST_PROCESSES)
TIERS := browser or process or torch or integration

LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-header --no-annotate $(LOCK_ARGS)

# All extras but two. `local`: whoever wants PyTorch chooses the build for their hardware, and no lock can do that for them.
# `ray`: whoever has a cluster has the Ray that runs on it. tests/requirements.lock has one for the tests.
LOCKED_EXTRAS := --extra postgresql --extra oidc --extra serve

# PyTorch for the tests of the judges that run models here. It stands outside the locks, for its builds for processors and
# for GPUs have the same version and different hashes, and one for GPUs would bring several GB that no test needs. On
# Linux "+cpu" asks for the former; macOS has one build. It comes without dependencies: tests/requirements.lock has them.
TORCH := torch==2.13.0$(if $(filter Linux,$(shell uname)),+cpu)

.PHONY: help run test test-all check docs screenshots format lock wheel clean

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s%s\n", $$1, $$2}' Makefile

run: $(VENV)/.done-project ## judge the bundled sample into an empty store and open the dashboard
	$(BIN)/faithview demo $(if $(PORT),--port $(PORT))

test: $(VENV)/.done-tests ## run the quick tests, in minutes
	$(PYTEST) -m "not ($(TIERS))" $(PYTEST_ARGS)

test-all: test $(VENV)/.done-browser $(VENV)/.done-torch ## run all: browser, processes, PyTorch, integrations, PostgreSQL too
	$(PYTEST) -m "$(TIERS)" $(PYTEST_ARGS)
	$(PYTEST) -m "not ($(TIERS))" --engine postgresql tests/store tests/services $(PYTEST_ARGS)

check: $(VENV)/.done-tests ## lint, format, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.done-tests ## build the documentation into build/docs, without a network; a warning is an error
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/docs
	@echo "Open build/docs/index.html"

screenshots: $(VENV)/.done-tests $(VENV)/.done-browser ## take the pictures in docs/images anew, from the bundled sample
	$(BIN)/python -m tests.docs.screenshots

format: $(VENV)/.done-tests ## put the code in its one format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(BIN)/python ## write the lock files anew from pyproject.toml
	$(PIP_INSTALL) 'uv>=0.9'
	$(LOCK) $(LOCKED_EXTRAS) --group build pyproject.toml --output-file requirements.lock
	$(LOCK) --group dev --constraints requirements.lock --output-file tests/requirements.lock

wheel: $(VENV)/.done-project ## build the wheel into dist/
	rm -rf dist
	$(BIN)/python -m hatchling build --target wheel --directory dist

clean: ## delete .venv, caches and everything that was built
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The first Python that fits: one that the locks were made for, else any newer one.
$(BIN)/python:
	@for limit in 14 99; do for python in $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python); do \
	    if "$$python" -c "import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, $$limit))" \
	        >/dev/null 2>&1; then \
	        echo "Making $(VENV) with $$($$python --version)"; \
	        exec "$$python" -m venv --clear $(VENV); \
	    fi; \
	done; done; \
	echo "FaithView needs Python 3.11 or newer with its venv module (Debian and Ubuntu: apt-get install python3-venv);" \
	    "none was found. Install one, or name it: make PYTHON=/path/to/python" >&2; \
	exit 1

$(VENV)/.done-runtime: requirements.lock | $(BIN)/python
	@echo "Installing what FaithView needs into $(VENV)"
	$(PIP_LOCKED) -r requirements.lock
	@touch $@

$(VENV)/.done-project: $(VENV)/.done-runtime pyproject.toml
	$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.done-tests: $(VENV)/.done-project tests/requirements.lock
	@echo "Installing what the tests need into $(VENV)"
	$(PIP_LOCKED) -r tests/requirements.lock
	@touch $@

# tests/browser.py takes the first of these, or the one that FAITHVIEW_CHROMIUM names.
$(VENV)/.done-browser: | $(BIN)/python
	@[ -n "$$FAITHVIEW_CHROMIUM" ] || command -v chromium-headless-shell || command -v chromium || \
	    command -v google-chrome || \
	    { apt-get update && apt-get install --yes --no-install-recommends chromium-headless-shell; } || \
	    { echo "The tests need Chromium: install one, or name it in FAITHVIEW_CHROMIUM" >&2; exit 1; }
	@touch $@

$(VENV)/.done-torch: $(VENV)/.done-tests
	@echo "Installing $(TORCH) into $(VENV)"
	@if $(PIP_INSTALL) --no-deps --only-binary :all: '$(TORCH)'; then touch $@; else \
	    echo "No build of $(TORCH) is offered here, so the tests of the judges that run models are skipped."; \
	fi
