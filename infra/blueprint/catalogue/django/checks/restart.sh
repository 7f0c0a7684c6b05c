#!/usr/bin/env bash
# Restarts the application and what it needs, and asks for its health
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
sudo systemctl restart redis-server app-worker app-web
healthy() { curl --silent --fail --max-time 10 --insecure --resolve '@domain@:443:127.0.0.1' 'https://@domain@/health'; }
for ((second = 0; second < 60; second++)); do
  if health=$(healthy); then
    break
  fi
  sleep 1
done
echo "health after $second s: ${health:-none}"
[[ -n ${health:-} ]]
systemctl is-enabled app-web app-worker redis-server postgresql nginx
REMOTE
echo "Verified: the application is healthy again after a restart, and starts with the server"
