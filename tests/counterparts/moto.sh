#!/usr/bin/env bash
# Runs tests of tests/api over moto's DynamoDB, S3, SQS, Secrets Manager and KMS in place of the local stack's own.
# Needs python3 with venv, and the built programs.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Groups of tests/api that together make every kind of call: a whole project (queues in order, backups, streams),
# sessions, sealed credentials, payments that count once, conditional writes and downloads from presigned addresses.
groups=(pipeline:: sign_in:: credentials:: payments:: versions:: workspace::)

infra/venv.sh target/counterparts-venv tests/counterparts/requirements.txt
export AWS_COUNTERPART="$PWD/target/counterparts-venv/bin/moto_server"
if cargo nextest --version >/dev/null 2>&1; then
  exec cargo nextest run --workspace --test api --no-fail-fast -- "${groups[@]}"
fi
exec cargo test --workspace --test api --no-fail-fast -- "${groups[@]}"
