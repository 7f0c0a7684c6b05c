#!/usr/bin/env bash
# Asks for the cluster's health, tries to get in without a login, and looks at Kibana
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
compose() { sudo docker compose --project-directory /opt/@name@ "$@" </dev/null; }
ask() {
  compose exec --no-TTY elasticsearch sh -c \
    'curl --silent --show-error --fail --cacert config/certs/ca/ca.crt --user "elastic:$ELASTIC_PASSWORD" "https://localhost:9200/$1"' ask "$1"
}

health=$(ask _cluster/health)
echo "$health"
grep -qE '"status":"(green|yellow)"' <<<"$health"
retention=$(ask _ilm/policy/logs-retention)
grep -q '"min_age":"@retention_days@d"' <<<"$retention"
echo "retention: @retention_days@ days"
containers=$(compose ps --all)
echo "$containers"
if grep -qE 'unhealthy|Exited|Restarting' <<<"$containers"; then
  echo "a container is not healthy" >&2
  exit 1
fi
stranger=$(compose exec --no-TTY elasticsearch curl --silent --output /dev/null --write-out '%{http_code}' --cacert config/certs/ca/ca.crt https://localhost:9200/)
echo "without a login Elasticsearch answers $stranger"
[[ $stranger == 401 ]]
kibana=$(curl --silent --output /dev/null --write-out '%{http_code}' --max-time 10 http://127.0.0.1:5601/login)
echo "Kibana's login page answers $kibana"
[[ $kibana == 200 ]]
listening=$(ss -ltnH '( sport = :9200 or sport = :5601 or sport = :5044 )' | awk '{ print $4 }' | sort -u)
echo "$listening"
if grep -qv '^127\.0\.0\.1:' <<<"$listening"; then
  echo "a port is open beyond the loopback address" >&2
  exit 1
fi
REMOTE
echo "Verified: the cluster is healthy over TLS, strangers get 401, Kibana answers, logs are kept for @retention_days@ days"
