#!/usr/bin/env bash
# Checks the templates with SAM's own validation, cfn-lint, SAM's transform, and checkov. The tools come from
# infra/requirements-sam.txt and infra/requirements-checkov.txt, at exact versions, and are installed into target/venv and
# target/checkov-venv, each of which is rebuilt only when its file changes. Needs python3 with venv, but no AWS account.
set -euo pipefail
cd "$(dirname "$0")/.."

infra/venv.sh target/venv infra/requirements-sam.txt
# For `cargo dev`, and to install sam or cargo-lambda at the same versions.
if [ "${1:-}" = --tools-only ]; then exit 0; fi
infra/venv.sh target/checkov-venv infra/requirements-checkov.txt --require-hashes

export SAM_CLI_TELEMETRY=0 AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-us-east-1}"
templates=(infra/template.yaml infra/edge/firewall.yaml infra/edge/logs.yaml)
target/venv/bin/sam validate --lint --template-file infra/template.yaml
target/venv/bin/cfn-lint --regions "$AWS_DEFAULT_REGION" -- "${templates[@]}"
target/venv/bin/python infra/lint_transform.py infra/template.yaml
target/checkov-venv/bin/python infra/lint_checkov.py infra/checkov-exceptions.yaml "${templates[@]}"
