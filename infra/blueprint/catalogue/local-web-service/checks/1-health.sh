#!/usr/bin/env bash
# Asks for the health once: 200, JSON, status ok, the right service
set -euo pipefail

url=http://127.0.0.1:@port@@health_path@
if ! answer=$(curl --silent --show-error --include --max-time 5 "$url" 2>&1); then
  echo "no healthy answer from $url: $answer" >&2
  exit 1
fi
echo "$answer"

ANSWER=$answer python3 - <<'PYTHON'
import json, os, sys

head, _, body = os.environ["ANSWER"].replace("\r\n", "\n").partition("\n\n")
lines = head.split("\n")
if " 200 " not in lines[0]:
    sys.exit(f"the health check answered {lines[0]}")
if not any(line.lower().startswith("content-type: application/json") for line in lines):
    sys.exit("the health check does not answer JSON")
health = json.loads(body)
if health.get("status") != "ok" or health.get("service") != "@name@":
    sys.exit(f"unexpected health: {health}")
print(f"\nVerified: 200, status {health['status']}, service {health['service']}, up for {health['uptime_seconds']} s")
PYTHON
