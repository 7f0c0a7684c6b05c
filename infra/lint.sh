#!/usr/bin/env bash
# Checks infra/template.yaml: SAM's own validation, cfn-lint, and what SAM makes of it.
# The tools come from infra/requirements.txt, exact versions, into target/venv, which is made anew
# only when that file changes. Needs python3 with venv, and no AWS account.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=target/venv
wanted=$(sha256sum infra/requirements.txt | cut -d' ' -f1)
if [ "$(cat "$venv/.requirements" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r infra/requirements.txt
  echo "$wanted" > "$venv/.requirements"
fi
# For `cargo dev` and for whoever wants sam or cargo-lambda at the same versions.
if [ "${1:-}" = --tools-only ]; then exit 0; fi

export SAM_CLI_TELEMETRY=0 AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-us-east-1}"
"$venv/bin/sam" validate --lint --template-file infra/template.yaml
"$venv/bin/cfn-lint" --regions "$AWS_DEFAULT_REGION" -- infra/template.yaml
"$venv/bin/python" infra/lint_transform.py infra/template.yaml
