#!/usr/bin/env bash
# Runs the product against third-party counterparts of its outside parties. LiteLLM comes from requirements.txt, at
# exact versions, and is installed into target/counterparts-venv, which is rebuilt only when that file changes. Needs
# python3 with venv, and the built programs; further arguments go to node's test runner.
set -euo pipefail
cd "$(dirname "$0")/../.."

infra/venv.sh target/counterparts-venv tests/counterparts/requirements.txt
cd tests/counterparts
exec npm run --silent test -- "$@"
