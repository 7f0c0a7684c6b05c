#!/usr/bin/env bash
# Asks the running service for its health until it answers, and fails if it never does.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
url=$(python3 -c 'import json; c = json.load(open("service.json")); print("http://127.0.0.1:%d%s" % (c["port"], c["health_path"]))')

attempts=20
for ((attempt = 1; attempt <= attempts; attempt++)); do
  if answer=$(curl --fail --silent --show-error --max-time 2 "$url" 2>&1); then
    echo "$answer" | python3 -c 'import json, sys; sys.exit(json.load(sys.stdin).get("status") != "ok")' || {
      echo "$url answered, but not with status ok: $answer" >&2
      exit 1
    }
    echo "healthy after $attempt attempt(s): $answer"
    exit 0
  fi
  sleep 0.5
done

echo "no healthy answer from $url after $attempts attempts: $answer" >&2
if [[ -f service.log ]]; then
  echo "--- last lines of service.log" >&2
  tail -n 20 service.log >&2
fi
exit 1
