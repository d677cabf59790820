# The commands of this project. On Windows, where make is rare, see README.md for the plain ones.

PYTHON_FILES = components systems sandbox tests benchmarks

.DEFAULT_GOAL := help
.PHONY: help setup play test verify campaigns lint kernels bench docs clean

help:      ## print this list
	@echo "make ..."
	@sed -n 's/^\([a-z]*\): .*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup:     ## make .venv ready: packages, this project, missing system libraries, all that checks need
	@tools/system_libraries.sh --tests
	@tools/set_up.sh requirements-dev.txt

play:      ## set up what playing needs, open the default scene (without a display: draw it into murmuration.png)
	@tools/system_libraries.sh
	@tools/set_up.sh
	@.venv/bin/boids play --picture murmuration.png

test: setup    ## check style and types, then run the tests
	@$(MAKE) --no-print-directory --jobs=2 lint kernels
	.venv/bin/pytest -n 2 --dist loadfile --no-loadscope-reorder

verify: setup  ## run the long campaigns
	.venv/bin/pytest -m verify --timeout=3600

campaigns: setup ## run those that fit into 20 minutes, drawn by the commit
	.venv/bin/pytest -m verify -n 2 --minutes=20 --timeout=900 --shuffled-by="$$(git rev-parse HEAD)" -r fE

lint: setup    ## check style and types
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy

kernels: setup ## compile the kernels, which the first start does otherwise
	@echo "Compiling the kernels"
	@.venv/bin/python -c "from sandbox.warm_up import warm_up; warm_up()"

bench: setup   ## measure the speed beside the C yardstick
	.venv/bin/python benchmarks/table.py

PLAYED = $(patsubst scenes/%.toml,build/played/play/%.html,$(wildcard scenes/*.toml))

docs: setup kernels $(PLAYED)  ## build the site from the Markdown, with each scene playing in it, into build/site
	.venv/bin/sphinx-build -E -W --keep-going -q -c docs -d build/doctrees . build/site

# Of the largest scenes the fewer animals are shown, the longer they play.
UNTIL = 10s
$(patsubst %,build/played/play/%.html,hundred-thousand krill million): UNTIL = 2s
build/played/play/%.html: scenes/%.toml $(shell find components systems sandbox -name '*.py' -o -name '*.js' -o -name '*.css') | kernels
	@mkdir -p $(@D)
	.venv/bin/boids share $* --to $(UNTIL) --out $@

clean:     ## remove all that these commands made
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find $(PYTHON_FILES) -name __pycache__ -prune -exec rm -rf {} +
