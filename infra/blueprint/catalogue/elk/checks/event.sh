#!/usr/bin/env bash
# Looks in the index for what the server has logged just now: sshd logs this very login
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
for ((attempt = 1; attempt <= 40; attempt++)); do
  found=$(sudo docker compose --project-directory /opt/@name@ exec --no-TTY elasticsearch sh -c \
    'curl --silent --show-error --cacert config/certs/ca/ca.crt --user "elastic:$ELASTIC_PASSWORD" --get --data-urlencode "q=@timestamp:[now-2m TO now]" "https://localhost:9200/logs-*/_count"' </dev/null)
  if grep -qE '"count":[1-9]' <<<"$found"; then
    echo "events of the last two minutes after $attempt attempt(s): $found"
    exit 0
  fi
  sleep 3
done
echo "nothing that was logged in the last two minutes has arrived: $found" >&2
exit 1
REMOTE
echo "Verified: what the server logs is found in Elasticsearch within two minutes"
