# Two commands for a newcomer: `make demo` and `make test`. Everything runs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test coverage lint format lock wheel results bench bench-small bench-full test-train test-verifiers test-skyrl desk desk-smoke load local chaos soak fuzz escapes calls calibrate clean

$(VENV)/.core: requirements.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.core
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	touch $@

$(VENV)/.train: requirements-train.txt $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --requirement requirements-train.txt
	touch $@

demo: $(VENV)/.core
	$(BIN)/redwell diligence examples/demo_room --out out/demo --deal examples/demo_deal.toml --fresh

test: $(VENV)/.dev
	$(BIN)/python -m pytest --ignore=tests/train --numprocesses 2 --dist loadgroup

# The same with what of the code it runs; half as long again.
coverage: $(VENV)/.dev
	$(BIN)/python -m pytest --ignore=tests/train --numprocesses 2 --dist loadgroup --cov --cov-report=term

# What needs torch: losses against TRL's, trainers, engines, and short runs of reinforcement learning. A few minutes.
test-train: $(VENV)/.train
	$(BIN)/python -m pytest tests/train tests/cli/test_train_cli.py --numprocesses 2 --dist loadgroup

# The package for verifiers under verifiers' own evaluator, in an environment of its own: what it pins need not go with the rest.
test-verifiers:
	test -x out/verifiers/bin/python || $(PYTHON) -m venv out/verifiers
	out/verifiers/bin/python -m pip install --quiet . ./integrations/verifiers pytest pytest-xdist hypothesis
	HF_HUB_OFFLINE=1 out/verifiers/bin/python -m pytest tests/train/test_verifiers_rooms.py

# The tinker trainer against SkyRL's own server on the CPU, in an environment of its own; several gigabytes.
test-skyrl: $(VENV)/.train
	test -x out/skyrl/bin/python || $(PYTHON) -m venv out/skyrl
	out/skyrl/bin/python -m pip install --quiet "skyrl[tinker,jax]==0.3.0"
	REDWELL_SKYRL=out/skyrl/bin/python $(BIN)/python -m pytest tests/train/test_skyrl_server.py

lint: $(VENV)/.dev
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .

lock: $(VENV)/.dev
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml requirements-build.in --output-file requirements.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --group dev --constraint requirements.txt --output-file requirements-dev.txt

wheel: $(VENV)/.dev
	$(BIN)/python -m build --no-isolation --outdir dist

# What docs/results.md reports; needs the folder of real contracts beside the repository. A minute or two.
results: $(VENV)/.dev
	$(BIN)/python benchmarks/rooms.py ../shared --write docs/results.md
	$(BIN)/python benchmarks/reader_on_cuad.py ../shared/data/cuad --write docs/results.md

# Speed beside two other harnesses, which are installed into out/peers, and of training and sampling beside TRL and transformers; twenty minutes.
# Needs two small models: redwell models get smollm2-135m, redwell models get qwen-coder-0.5b.
bench: $(VENV)/.train
	$(BIN)/python benchmarks/speed.py --out out/bench.json --write docs/results.md
	$(BIN)/python benchmarks/training_speed.py local:smollm2-135m --write docs/results.md
	$(BIN)/python benchmarks/sampling.py local:smollm2-135m local:qwen-coder-0.5b --write docs/results.md

# Six generated rooms through every harness with the embedded models, graded, with the page of figures; ten minutes.
bench-small: $(VENV)/.dev
	$(BIN)/python benchmarks/bench_small.py --write docs/results.md

# Generated rooms of 5,000 documents, on test and on train wordings: made, proved, read, reviewed, graded. Three quarters of an hour.
bench-full: $(VENV)/.dev
	$(BIN)/python benchmarks/bench_full.py --write docs/results.md

# Post-training at desk scale, with real small models: hours. `desk-smoke` runs every stage of it in miniature, under ten minutes.
desk: $(VENV)/.train
	$(BIN)/python benchmarks/desk.py --write docs/results.md

desk-smoke: $(VENV)/.train
	$(BIN)/python benchmarks/desk.py --smoke --folder out/desk_smoke

# A room of 5,000 documents and 80 million tokens, end to end on the embedded default.
load: $(VENV)/.dev
	$(BIN)/python benchmarks/whole_room.py --write docs/results.md

# The demo room with a language model of 1.1 GB on this machine as sub-agent.
local: $(VENV)/.dev
	$(BIN)/python benchmarks/local_model.py --write docs/results.md

# How the yes and no of that model is turned into a probability; its contracts are those of `results`.
calibrate: $(VENV)/.dev
	$(BIN)/python benchmarks/calibrate_local.py ../shared/data/cuad qwen-coder-1.5b --passages 60 --out out/calibration --write docs/results.md

# The long versions of what `make test` does briefly: hundreds of kills, an hour of load, half an hour of broken files.
ENDURANCE := PYTHONPATH=.:tests $(BIN)/python -m

chaos: $(VENV)/.dev
	$(ENDURANCE) endurance.chaos --kills 300 --write docs/results.md

soak: $(VENV)/.dev
	$(ENDURANCE) endurance.soak --minutes 60 --write docs/results.md

fuzz: $(VENV)/.dev
	$(ENDURANCE) endurance.fuzz --minutes 30 --write docs/results.md

calls: $(VENV)/.dev
	$(ENDURANCE) endurance.load --calls 5000 --children 16 --write docs/results.md

escapes: $(VENV)/.dev
	$(ENDURANCE) endurance.escapes --write docs/results.md

clean:
	rm -rf $(VENV) out dist build
