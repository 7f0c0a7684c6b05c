
# A line in the system log arrives in Elasticsearch.
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
mark=mark$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
logger "validation $mark"
for ((attempt = 1; attempt <= 40; attempt++)); do
  found=$(sudo docker compose --project-directory /opt/@name@ exec --no-TTY elasticsearch sh -c \
    'curl --silent --show-error --cacert config/certs/ca/ca.crt --user "elastic:$ELASTIC_PASSWORD" "https://localhost:9200/logs-*/_count?q=message:$1"' ask "$mark" </dev/null)
  if grep -qE '"count":[1-9]' <<<"$found"; then
    echo "found $mark after $attempt attempt(s): $found"
    exit 0
  fi
  sleep 3
done
echo "the line with $mark did not arrive: $found" >&2
exit 1
REMOTE
