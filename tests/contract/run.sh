#!/usr/bin/env bash
# Holds the built local stack to web/openapi.json with schemathesis, in three minutes at most (run.py).
# The tool comes from requirements.txt, exact versions, into target/contract-venv, which is made anew only when
# that file changes. Needs python3 with venv.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv=target/contract-venv
wanted=$(sha256sum tests/contract/requirements.txt | cut -d' ' -f1)
if [ "$(cat "$venv/.requirements" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r tests/contract/requirements.txt
  echo "$wanted" > "$venv/.requirements"
fi
exec "$venv/bin/python" tests/contract/run.py
