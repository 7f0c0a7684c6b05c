#!/usr/bin/env bash
# Asks for pages at the balancer, and counts who answers; changes nothing
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
states=$(sudo app-servers list)
echo "$states"
up=$(grep --count ': UP, ' <<<"$states" || true)
if ((up != @app_servers@)); then
  echo "$up application servers are up, and @app_servers@ are planned" >&2
  exit 1
fi
further=(@further_ports_sh@)
for port in "${further[@]}"; do
  echo "port $port: $(curl --silent --show-error --fail --max-time 10 "http://127.0.0.1:$port/")"
done
answers=""
for ((request = 0; request < 30; request++)); do
  answers+=$(curl --silent --show-error --fail --max-time 10 http://127.0.0.1/)$'\n'
done
who=$(sort --unique <<<"$answers" | grep --count .)
sort <<<"$answers" | grep . | uniq --count
if ((who < @app_servers@)); then
  echo "only $who of @app_servers@ application servers answered" >&2
  exit 1
fi
REMOTE
echo "Verified: HAProxy has @app_servers@ application servers, all up, and each of them answered"
