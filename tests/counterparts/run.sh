#!/usr/bin/env bash
# Runs the product against outside parties that others wrote. LiteLLM comes from requirements.txt, exact versions, into
# target/counterparts-venv, which is made again only when that file changes. Needs python3 with venv, and the built
# programs; further arguments go to node's test runner.
set -euo pipefail
cd "$(dirname "$0")/../.."

infra/venv.sh target/counterparts-venv tests/counterparts/requirements.txt
cd tests/counterparts
exec npm run --silent test -- "$@"
