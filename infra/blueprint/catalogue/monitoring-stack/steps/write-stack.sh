mkdir -p stack/provisioning/{datasources,dashboards} stack/dashboards

#@write compose.yaml stack/compose.yaml
#@write prometheus.yml stack/prometheus.yml
#@write rules.yml stack/rules.yml
#@write alertmanager.yml stack/alertmanager.yml
#@write blackbox.yml stack/blackbox.yml
#@write datasource.yml stack/provisioning/datasources/prometheus.yml
#@write dashboards.yml stack/provisioning/dashboards/files.yml
#@write server.json stack/dashboards/server.json

python3 -m json.tool stack/dashboards/server.json >/dev/null
