# On a fresh machine with Python 3.11+ and make, each target sets up all it needs by itself.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
OLDEST := .venv-oldest
# Tests in which no host runs of which there is an old version, and one that needs Zensical.
NOT_OLDEST := $(addprefix --ignore=tests/,agreement/test_planting.py agreement/test_fields.py core cite fix html works injection hosts/test_browser.py markdown/test_check.py \
	$(addprefix repository/test_,$(addsuffix .py, \
	action corpus counts docs docs_examples examples hooks issue layers linear package release suite)))

# Other interpreters for `make test-matrix`: those on the path and those of pyenv.
MATRIX ?= $(sort $(wildcard $(foreach v,3.12 3.13 3.14,$(HOME)/.pyenv/versions/$(v)*/bin/python)) \
	$(foreach v,3.12 3.13 3.14,$(shell PYENV_VERSION= command -v /usr/bin/python$(v) /usr/local/bin/python$(v) 2>/dev/null)))

# The tests start hundreds of programs of Python. If this is set, as images for containers do, each program
# compiles doilinks and its host again.
unexport PYTHONDONTWRITEBYTECODE

# A worker that has nothing left to do takes tests from another one.
PYTEST := -m pytest --numprocesses=auto --dist=worksteal

.PHONY: help demo test tests proof environments lint counts mutants docs tables dist bench accuracy fuzz test-matrix test-oldest clean

help:
	@echo 'make demo         build the examples, offline, and show what was linked where'
	@echo 'make test         lint, types and tests, of the longest proofs a sample'
	@echo 'make proof        the same, and all of every proof, as every night'
	@echo 'make counts       the instructions of short programs, against the numbers of benchmarks/counts.json'
	@echo 'make mutants      put faults into the source, and name those that no test sees; takes hours'
	@echo 'make docs         build the documentation into docs/_build/html'
	@echo 'make tables       write the tables of the documentation that are made from the code'
	@echo 'make dist         build the distributions, and run the wheel in a new environment'
	@echo 'make bench        speed, as ratios in one run'
	@echo 'make accuracy     the tables of accuracy, in docs and in benchmarks, from the data here'
	@echo 'make fuzz         ten minutes of fuzzing (FUZZ_SECONDS=600)'
	@echo 'make test-matrix  the tests on the other Pythons here, with the newest Sphinx'
	@echo 'make test-oldest  every host and the check, with the oldest versions that pyproject.toml allows'

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "doilinks needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group test --group docs
	@touch $@

demo: $(READY)
	@$(BIN)/python examples/demo.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Both at the same time: mypy in a fresh clone needs one core for a while.
test: $(READY)
	@$(MAKE) --no-print-directory --jobs=2 tests lint

tests: $(READY)
	$(BIN)/python $(PYTEST) $(PYTEST_ARGS)

proof: export DOILINKS_PROOF ?= 1
proof: test

# Both environments; with -j, at the same time.
environments: $(READY) $(OLDEST)/.ready

counts: $(READY)
	@$(BIN)/python benchmarks/counts.py

mutants: $(READY)
	@$(BIN)/python benchmarks/mutants.py $(MUTANTS)

docs: tables
	$(BIN)/sphinx-build -n -W --keep-going -b html docs docs/_build/html

tables: $(READY)
	@$(BIN)/python docs/tables.py

# What a release builds, and the wheel in an environment of its own.
dist: $(READY)
	rm -rf dist .venv-dist
	$(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv .venv-dist
	.venv-dist/bin/python -m pip install --quiet "doilinks[cli] @ file://$(CURDIR)/$$(ls dist/*.whl)"
	printf 'See doi:10.1000/182.\n' | .venv-dist/bin/doilinks scan -
	.venv-dist/bin/doilinks --version

bench: $(READY)
	@$(BIN)/python benchmarks/run.py

accuracy: $(READY)
	@$(BIN)/python benchmarks/accuracy.py
	@$(BIN)/python benchmarks/find.py

fuzz: $(READY)
	$(BIN)/python -m pip install --quiet --group fuzz
	$(BIN)/python -m fuzz.run --seconds $(or $(FUZZ_SECONDS),600)

test-matrix:
	@test -n '$(MATRIX)' || { echo 'no other Python found; set MATRIX="path/to/python3.13 ..."'; exit 1; }
	@for python in $(MATRIX); do \
	  venv=.venv-$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	  echo "== $$python in $$venv"; \
	  $$python -m venv $$venv && $$venv/bin/python -m pip install --quiet --upgrade 'pip>=25.1' && \
	  $$venv/bin/python -m pip install --quiet --upgrade --editable '.[all]' --group test --group docs && \
	  $$venv/bin/python -m pip list 2>/dev/null | grep -iE '^(sphinx|docutils|markdown|mkdocs|panflute) ' && \
	  $$venv/bin/python $(PYTEST) --quiet $(PYTEST_ARGS) || exit 1; \
	done

$(OLDEST)/.ready: pyproject.toml tests/tools/oldest.py
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --upgrade 'pip>=25.1' packaging
	$(OLDEST)/bin/python tests/tools/oldest.py > $(OLDEST)/constraints.txt
	$(OLDEST)/bin/python -m pip install --quiet --editable '.[all]' --group oldest --constraint $(OLDEST)/constraints.txt
	@touch $@

test-oldest: $(OLDEST)/.ready
	env -u CI DOILINKS_PROOF=0 $(OLDEST)/bin/python $(PYTEST) $(NOT_OLDEST) $(PYTEST_ARGS)

clean:
	rm -rf .venv .venv-* .pytest_cache .mypy_cache .ruff_cache docs/_build examples/_build
