#!/usr/bin/env bash
# Asks Prometheus for its targets and rules, and Grafana for its data source and dashboard
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
compose() { sudo docker compose --project-directory /opt/@name@ "$@" </dev/null; }
get() { curl --fail --silent --show-error --max-time 10 "$@"; }

compose exec --no-TTY prometheus promtool check config /etc/prometheus/prometheus.yml
folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
get http://127.0.0.1:9090/api/v1/targets?state=active >"$folder/targets"
get http://127.0.0.1:9090/api/v1/rules >"$folder/rules"
python3 - "$folder/targets" "$folder/rules" <<'PYTHON'
import json, sys

targets = json.load(open(sys.argv[1]))["data"]["activeTargets"]
for target in targets:
    print(target["labels"]["job"], target["labels"]["instance"], target["health"], target["lastError"])
rules = [rule for group in json.load(open(sys.argv[2]))["data"]["groups"] for rule in group["rules"]]
print("rules loaded:", ", ".join(rule["name"] for rule in rules))
watched = {@probe_list@}
seen = {target["labels"]["instance"] for target in targets if target["labels"]["job"] == "probes"}
if not targets or any(target["health"] != "up" for target in targets):
    sys.exit("not every target is up")
if not watched <= seen or len(rules) < 6:
    sys.exit("a watched address or a rule is missing")
PYTHON

# The password stays in the container's environment.
compose exec --no-TTY grafana sh -c 'curl --fail --silent --user "admin:$GF_SECURITY_ADMIN_PASSWORD" http://127.0.0.1:3000/api/datasources/uid/prometheus/health'
echo
dashboard=$(compose exec --no-TTY grafana sh -c 'curl --fail --silent --user "admin:$GF_SECURITY_ADMIN_PASSWORD" http://127.0.0.1:3000/api/dashboards/uid/server')
echo "${dashboard:0:120}"
stranger=$(curl --silent --output /dev/null --write-out '%{http_code}' --max-time 10 http://127.0.0.1:3000/api/dashboards/uid/server)
echo "without a login Grafana answers $stranger"
[[ $stranger == 401 ]]
listening=$(ss -ltnH '( sport = :3000 or sport = :9090 or sport = :9093 )' | awk '{ print $4 }' | sort -u)
echo "$listening"
if grep -qv '^127\.0\.0\.1:' <<<"$listening"; then
  echo "a port is open beyond the loopback address" >&2
  exit 1
fi
REMOTE
echo "Verified: every target is up, the rules are loaded, Grafana has its data source and dashboard and refuses strangers"
