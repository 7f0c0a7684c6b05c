#!/usr/bin/env bash
# Runs tests of tests/api over moto's DynamoDB, S3, SQS, Secrets Manager and KMS in place of the local stack's own: whole
# groups, or with --brief a few tests of each. Needs python3 with venv, and the built programs.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Groups of tests/api that together make every kind of call: a whole project (queues in order, backups, streams),
# sessions, sealed credentials, payments that count once, conditional writes and downloads from presigned addresses.
tests=(pipeline:: sign_in:: credentials:: payments:: versions:: workspace::)
if [ "${1:-}" = --brief ]; then
  tests=(
    pipeline::a_request_becomes_a_running_service
    sign_in::a_delivery_is_handled_once
    sign_in::a_user_with_several_installations_chooses_one
    sign_in::deleting_an_installation_ends_its_sessions_permanently
    sign_in::signing_out_everywhere_ends_every_session
    credentials::a_sealed_credential_opens_after_a_restart
    credentials::a_second_secret_of_a_kind
    credentials::credentials_that_come_in_at_the_same_time
    payments::a_payer_is_credited_once
    payments::a_refund_is_deducted_from_the_balance
    versions::a_new_version_replaces_the_oldest_one
    workspace::a_download_during_a_restore_is_complete
    workspace::a_stopped_sandbox_provides_its_last_backup
  )
fi

infra/venv.sh target/counterparts-venv tests/counterparts/requirements.txt
export AWS_COUNTERPART="$PWD/target/counterparts-venv/bin/moto_server"
if cargo nextest --version >/dev/null 2>&1; then
  exec cargo nextest run --workspace --test api --no-fail-fast -- "${tests[@]}"
fi
exec cargo test --workspace --test api --no-fail-fast -- "${tests[@]}"
