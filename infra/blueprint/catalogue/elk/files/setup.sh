#!/usr/bin/env bash
# Makes the certificates once, then sets logins and retention; running it again changes nothing.
set -euo pipefail
cd /usr/share/elasticsearch
certs=config/certs

if [[ ! -f $certs/ready ]]; then
  rm -rf "$certs"/ca "$certs"/elasticsearch "$certs"/*.zip
  elasticsearch-certutil ca --silent --pem --days 3650 --out "$certs/ca.zip"
  unzip -q "$certs/ca.zip" -d "$certs"
  elasticsearch-certutil cert --silent --pem --days 3650 --name elasticsearch \
    --dns elasticsearch --dns localhost --ip 127.0.0.1 \
    --ca-cert "$certs/ca/ca.crt" --ca-key "$certs/ca/ca.key" --out "$certs/cert.zip"
  unzip -q "$certs/cert.zip" -d "$certs"
  rm "$certs"/*.zip
fi
# Elasticsearch, Kibana and Logstash run as this user, and only the user is the same in all of them: each has other groups.
# Anyone who has the authority's key can pretend to be Elasticsearch: only this container needs it.
find "$certs" ! -name ca.key -exec chown 1000:0 {} +
find "$certs" -type d -exec chmod 750 {} +
find "$certs" -type f ! -name ca.key -exec chmod 640 {} +
chmod 600 "$certs/ca/ca.key"
touch "$certs/ready"

# The password goes through a file of settings: arguments can be seen in the list of processes.
umask 077
quote() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }
printf 'user = "elastic:%s"\n' "$(quote "$ELASTIC_PASSWORD")" >/tmp/login
ask() {
  curl --silent --show-error --fail --config /tmp/login --cacert "$certs/ca/ca.crt" \
    --header 'Content-Type: application/json' "$@"
}
until ask https://elasticsearch:9200/ >/dev/null 2>&1; do sleep 2; done

put() { ask --request "$1" --data @- "https://elasticsearch:9200/$2" >/dev/null; }

put POST _security/user/kibana_system/_password <<JSON
{"password": "$(quote "$KIBANA_PASSWORD")"}
JSON
put PUT _security/role/logstash_writer <<JSON
{"cluster": ["monitor", "manage_index_templates"],
 "indices": [{"names": ["logs-*"], "privileges": ["write", "create_index", "auto_configure", "view_index_metadata"]}]}
JSON
put PUT _security/user/logstash_writer <<JSON
{"password": "$(quote "$LOGSTASH_PASSWORD")", "roles": ["logstash_writer"]}
JSON
put PUT _ilm/policy/logs-retention <<JSON
{"policy": {"phases": {"hot": {"actions": {}}, "delete": {"min_age": "${RETENTION_DAYS}d", "actions": {"delete": {}}}}}}
JSON
put PUT _index_template/logs-daily <<JSON
{"index_patterns": ["logs-*"], "priority": 500,
 "template": {"settings": {"index.lifecycle.name": "logs-retention", "number_of_shards": 1, "number_of_replicas": 0}}}
JSON

rm -f /tmp/login
touch /tmp/done
echo "certificates, logins and retention are set"
exec sleep infinity
