# Every target goes through ./run, which brings Python and the packages.

PORT ?= 8000
export REPO PORT

LOCK := ./run --dev uv pip compile pyproject.toml --universal --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --quiet

.PHONY: run test conformance check format lock clean

run: ## serve a repository on this machine: make run, or make run REPO=path-or-https-address PORT=8001
	PLAIN_HTTP=true ./run python manage.py quickstart --port "$$PORT" $(if $(REPO),"$$REPO")

test: ## every test; a browser is installed first where that is possible
	./tests/system-packages
	./run --dev python -m pytest

conformance: ## the server for agents, tried with the Inspector and the official suite, which need a network once
	./run --dev python -m tests.conformance

check: ## everything that can be judged without running it
	./run --dev ruff format --check .
	./run --dev ruff check .
	./run --dev lint-imports
	./run --dev mypy
	./run --dev python manage.py makemigrations --check --dry-run
	./run --dev python manage.py check --deploy --fail-level WARNING

format: ## set the code as ruff sets it
	./run --dev ruff check --fix .
	./run --dev ruff format .

lock: ## resolve pyproject.toml again, with the versions of the locks where they still fit
	$(LOCK) --output-file requirements.lock
	$(LOCK) --group dev --output-file requirements-dev.lock

clean: ## remove what the above made in this checkout; data lies elsewhere and stays
	rm -rf .venv .uv-bootstrap .conformance .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
