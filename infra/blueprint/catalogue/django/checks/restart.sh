#!/usr/bin/env bash
# Asks whether everything that the application is made of starts with the server and runs; restarts nothing
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
for unit in redis-server postgresql app-worker app-web nginx; do
  enabled=$(systemctl is-enabled "$unit")
  active=$(systemctl is-active "$unit")
  echo "$unit: $enabled, $active since $(systemctl show --property ActiveEnterTimestamp --value "$unit")"
done
health=$(curl --silent --fail --max-time 10 --insecure --resolve '@domain@:443:127.0.0.1' 'https://@domain@/health')
echo "health: $health"
REMOTE
echo "Verified: the application is healthy, and all of it starts with the server"
