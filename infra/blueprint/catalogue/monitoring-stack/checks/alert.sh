#!/usr/bin/env bash
# Asks Prometheus where it sends alerts, and Alertmanager whether it takes them; sends none
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
get() { curl --fail --silent --show-error --max-time 10 "$@"; }
get http://127.0.0.1:9093/-/ready
echo
known=$(get http://127.0.0.1:9090/api/v1/alertmanagers)
echo "$known"
grep -qE '"activeAlertmanagers":\[\{' <<<"$known"
@check_receiver@
REMOTE
echo "Verified: Alertmanager is ready, and Prometheus sends it its alerts"
