# Coverage-guided fuzzing of the webhook; ARGS="-max_total_time=600" and the like go to libFuzzer.
# Without a wheel for this machine its test says so and is skipped.
.venv/.fuzz: requirements/fuzz.txt .venv/.dev
	@$(BIN)/pip install -q --only-binary :all: --require-hashes -r requirements/fuzz.txt || echo "atheris cannot be had here"
	@touch $@

.PHONY: fuzz
fuzz: .venv/.fuzz $(CATALOGS) ## fuzz the webhook until it is interrupted
	@mkdir -p .corpus
	$(BIN)/python -m ops.args tests.hostile.fuzz -max_len=400 .corpus
