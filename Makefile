# Everything runs from .venv in this folder; the targets make it when it is missing or out of date.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RIVALS := build/bench-venv
CATALOGUES := $(wildcard engine/locale/*/LC_MESSAGES/*.po)
GAME ?= hack_trick
ROOMS := engine hardware firmware web
TYPES := build/types/underboard

.DEFAULT_GOAL := help
.PHONY: help play test test-quick test-pico test-pi test-pi64 secrets hands power-cuts bench bench-check lengths lint golden install uninstall purge wheels clean

help: ## this list
	@echo "make TARGET"
	@sed -n 's/^\([a-z0-9-]*\):.*## /  \1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do printf '%-14s %s\n' "$$name" "$$text"; done
	@echo "PYTHON=python3.12 chooses another interpreter, GAME=... another game for play."

play: $(VENV)/.installed ## set everything up, then open a table in the browser
	$(BIN)/underboard play $(GAME)

test: $(VENV)/.installed-dev browser ## set everything up, then run all tests
	$(BIN)/pytest -n auto

test-quick: $(VENV)/.installed-dev ## all tests but those in a browser
	$(BIN)/pytest -n auto --ignore tests/web/page

test-pico: $(VENV)/.installed-dev ## the firmware on an emulated Pico with the real MicroPython, minutes
	@tests/firmware/build_image.sh build/pico
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,flash,emulator]'
	UNDERBOARD_PICO_IMAGE=build/pico/micropython-rpi_pico.uf2 $(BIN)/pytest tests/firmware/test_emulated.py

test-pi: $(VENV)/.installed-dev ## install on a virtual Pi with a real kernel and play a game there, minutes (root, on Debian)
	@tests/pi/run.sh build/pi amd64

test-pi64: $(VENV)/.installed-dev ## the same on a Pi with an arm64 processor and the device tree of a Pi 4, more minutes
	@tests/pi/run.sh build/pi64 arm64

bench: $(VENV)/.installed-dev $(RIVALS)/.installed ## speed, memory and bytes beside their goals and rivals, minutes
	$(BIN)/python -m tests.bench

bench-check: $(VENV)/.installed-dev $(RIVALS)/.installed ## the same, and fail if a ratio has become more than 25 % worse
	$(BIN)/python -m tests.bench --check

lengths: $(VENV)/.installed-dev ## how long games are, by option: plays 200 games a row, minutes; writes docs/game-lengths.md
	$(BIN)/python -m tests.bench.lengths --write

secrets: $(VENV)/.installed-dev ## what an eye cannot know makes no difference to it: many more evenings than the tests play; see docs/secrets.md
	SECRETS_EXAMPLES=100 $(BIN)/pytest -q -n auto --timeout 3000 tests/engine/view/test_secrets.py

hands: $(VENV)/.installed-dev browser ## whole games of each kind in the browser, every text held against what its eye may know, minutes
	$(BIN)/pytest -v tests/web/page/test_hands_in_browser.py --every-game

power-cuts: $(VENV)/.installed-dev ## what a power cut leaves of the journal, at every write of a game; see docs/power-cuts.md
	$(BIN)/pytest -v tests/engine/journal/crash

lint: $(VENV)/.installed-dev $(TYPES) ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

golden: $(VENV)/.installed-dev ## write the golden files anew, after a change that was meant
	$(BIN)/pytest -n auto --ignore tests/web/page --update-golden

install: python ## make this Raspberry Pi a table: the service, its user, I2C (sudo; WHEELS=folder installs without a network)
	@$(PYTHON) -B -m systemd.install install $(if $(WHEELS),--wheels '$(WHEELS)')

uninstall: python ## take the service and the program away again (sudo); games and settings stay
	@$(PYTHON) -B -m systemd.install uninstall

purge: python ## uninstall, and remove games and settings, too (sudo)
	@$(PYTHON) -B -m systemd.install purge

wheels: $(VENV)/.installed ## everything that `make install WHEELS=build/wheels` needs on a Pi of the same kind without a network
	@rm -rf build/wheels build/lib
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --wheel-dir build/wheels .

clean: ## remove .venv and everything else that was made
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find $(ROOMS) underboard tests -name __pycache__ -prune -exec rm -rf {} +
	rm -f engine/locale/*/LC_MESSAGES/*.mo

.PHONY: python
python:
	@command -v $(PYTHON) >/dev/null || { echo "Python is missing: sudo apt install python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Underboard needs Python 3.11 or newer, $$($(PYTHON) --version) is too old: make PYTHON=python3.11 names another."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv module is missing: sudo apt install python3-venv"; exit 1; }

$(VENV)/.python:
	@$(MAKE) --no-print-directory python
	@echo "Setting up $(VENV), this takes a minute ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.python pyproject.toml setup.py $(CATALOGUES)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.python pyproject.toml setup.py $(CATALOGUES)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed

$(TYPES): $(wildcard underboard/*.py) # the checkout as it is installed, for a type checker, which asks no import hook
	@rm -rf $@ && mkdir -p $@
	@for path in $(ROOMS) underboard/*.py; do ln -s ../../../$$path $@/; done

$(RIVALS)/.installed: tests/bench/requirements.txt
	@$(MAKE) --no-print-directory python
	@$(PYTHON) -m venv --clear $(RIVALS)
	@$(RIVALS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	@touch $@

.PHONY: browser
browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing Chromium for the tests of the page ..."; \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium chromium-driver fonts-dejavu-core >/dev/null; \
		else \
			echo "The page is tested in Chromium: sudo apt install chromium chromium-driver (or make test-quick leaves these tests out)"; exit 1; \
		fi; }
