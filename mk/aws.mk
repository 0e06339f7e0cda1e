# Deploying to AWS; ARGS="--stage test" and the like go to the command.
# SAM lives in an environment of its own, as it pins much that the bot does not want pinned.
export SAM_CLI_TELEMETRY := 0

# Without dependencies: the list is complete, and older pips stumble over extras where hashes are required.
.venv-deploy/.done: requirements/deploy.txt
	$(PYTHON) -m venv .venv-deploy
	.venv-deploy/bin/pip install -q --no-deps --require-hashes -r requirements/deploy.txt
	@touch $@

.PHONY: deploy
deploy: .venv/.play .venv-deploy/.done $(CATALOGS) ## deploy to AWS, step by step
	@$(BIN)/python -m ops.args ops.deploy deploy

.PHONY: webhook-info
webhook-info: .venv/.play ## show what Telegram says of the webhook
	@$(BIN)/python -m ops.args ops.deploy webhook-info

.PHONY: undeploy
undeploy: .venv/.play .venv-deploy/.done ## take the bot off AWS; its table stays
	@$(BIN)/python -m ops.args ops.deploy undeploy

.PHONY: catalogs
catalogs: $(CATALOGS) ## compile the words of every language

# What `sam build` calls, once a function, with ARTIFACTS_DIR in the environment; a blank in it is the shell's business.
.PHONY: build-WebhookFunction build-TickerFunction
build-WebhookFunction build-TickerFunction: .venv/.play $(CATALOGS)
	@$(BIN)/python -m ops.package "$$ARTIFACTS_DIR"
