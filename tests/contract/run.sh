#!/usr/bin/env bash
# Checks the built local stack against web/openapi.json with schemathesis, in at most three minutes (run.py). The tool
# comes from requirements.txt, at exact versions, and is installed into target/contract-venv, which is rebuilt only when
# that file changes. Needs python3 with venv.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv=target/contract-venv
infra/venv.sh "$venv" tests/contract/requirements.txt
exec "$venv/bin/python" tests/contract/run.py
