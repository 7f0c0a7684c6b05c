#!/usr/bin/env bash
# Deploys the template to the emulator and tests it (run.py). The emulator comes from requirements.txt, at exact
# versions, and is installed into target/deploy/venv, which is rebuilt only when that file changes. Needs python3 with
# venv.
set -euo pipefail
cd "$(dirname "$0")/../../.."

venv=target/deploy/venv
infra/venv.sh "$venv" tests/deploy/emulator/requirements.txt
export PYTHONDONTWRITEBYTECODE=1
"$venv/bin/python" -m unittest discover --start-directory tests/deploy/emulator --pattern 'test_*.py'
exec "$venv/bin/python" tests/deploy/emulator/run.py "$@"
