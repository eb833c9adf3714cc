PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
# The tests write many small databases: in memory where the machine has a folder for that.
PYTEST := $(if $(wildcard /dev/shm/.),TMPDIR=/dev/shm) $(BIN)/pytest -n 2 --dist worksteal

.PHONY: demo test test-quick lint types docs lock schema clean help

help: ## What can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(INSTALLED) ## Set up, then run the churn example: data in, registered model and report out
	$(BIN)/penstock run examples/churn/pipeline.yaml

test: $(INSTALLED) ## Set up, then run all tests
	$(PYTEST)

test-quick: $(INSTALLED) ## The tests that take less than three minutes together
	$(PYTEST) -m "not slow"

lint: $(INSTALLED) ## Style and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(INSTALLED) ## Static types
	$(BIN)/mypy

docs: $(INSTALLED) ## Build the documentation into site/
	$(BIN)/mkdocs build

lock: ## Rewrite requirements.lock with the newest versions that pyproject.toml allows
	$(PYTHON) scripts/lock.py

schema: $(INSTALLED) ## Rewrite penstock/servers/prefect.sql, the tables of a new Prefect database
	$(BIN)/python scripts/schema.py

clean: ## Remove the environment and what runs have left here
	rm -rf .venv .penstock

$(INSTALLED): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@
