#!/usr/bin/env bash
# Holds the built local stack to web/openapi.json with schemathesis, in three minutes at most (run.py).
# The tool comes from requirements.txt, exact versions, into target/contract-venv, which is made again only when
# that file changes. Needs python3 with venv.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv=target/contract-venv
infra/venv.sh "$venv" tests/contract/requirements.txt
exec "$venv/bin/python" tests/contract/run.py
