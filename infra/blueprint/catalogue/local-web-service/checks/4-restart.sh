#!/usr/bin/env bash
# Restarts the service and asks whether it came back healthy
set -euo pipefail

pid_before=$(cat @name@/service.pid)
./@name@/control.sh restart
./@name@/check-health.sh
pid_after=$(cat @name@/service.pid)

if [[ $pid_before == "$pid_after" ]]; then
  echo "the process is still $pid_before" >&2
  exit 1
fi
uptime=$(curl --fail --silent --show-error --max-time 5 http://127.0.0.1:@port@@health_path@ |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["uptime_seconds"])')
echo "Verified: process $pid_before was replaced by $pid_after, healthy again with an uptime of $uptime s"
