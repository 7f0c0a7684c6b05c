#!/usr/bin/env bash
set -euo pipefail
# Prometheus, Alertmanager and node_exporter from the distribution, on loopback only.
: "${SMTP_HOST:?set SMTP_HOST}"
: "${SMTP_PASSWORD:?set SMTP_PASSWORD}"
: "${ALERT_EMAIL:?set ALERT_EMAIL}"
apt-get update
apt-get install -y --no-install-recommends prometheus prometheus-alertmanager prometheus-node-exporter curl jq

write_defaults() {
  local name="$1" args="$2"
  printf 'ARGS="%s"\n' "$args" > "/etc/default/${name}"
}
write_defaults prometheus "--web.listen-address=127.0.0.1:9090 --storage.tsdb.retention.time=30d"
write_defaults prometheus-alertmanager "--web.listen-address=127.0.0.1:9093 --cluster.listen-address="
write_defaults prometheus-node-exporter "--web.listen-address=127.0.0.1:9100"

install -d /etc/prometheus/rules
cat > /etc/prometheus/prometheus.yml <<'EOF'
global:
  scrape_interval: 15s
rule_files:
  - /etc/prometheus/rules/*.yml
alerting:
  alertmanagers:
    - static_configs:
        - targets: ["127.0.0.1:9093"]
scrape_configs:
  - job_name: node
    static_configs:
      - targets: ["127.0.0.1:9100"]
        labels:
          host: web
    metric_relabel_configs:
      - source_labels: [__name__]
        regex: node_scrape_collector_.*
        action: drop
EOF

cat > /etc/prometheus/rules/site.yml <<'EOF'
groups:
  - name: site
    interval: 1m
    rules:
      - record: instance:cpu_busy:rate5m
        expr: 1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[5m]))
      - alert: CpuBusy
        expr: instance:cpu_busy:rate5m > 0.9
        for: 10m
        labels:
          severity: warning
        annotations:
          summary: "CPU of {{ $labels.instance }} is busy ({{ $value | humanizePercentage }})"
EOF

install -m 0640 -o root -g prometheus /dev/null /etc/prometheus/smtp_password
printf '%s' "$SMTP_PASSWORD" > /etc/prometheus/smtp_password
cat > /etc/prometheus/alertmanager.yml <<EOF
global:
  smtp_smarthost: ${SMTP_HOST}:587
  smtp_from: ${ALERT_EMAIL}
  smtp_auth_username: ${ALERT_EMAIL}
  smtp_auth_password_file: /etc/prometheus/smtp_password
route:
  receiver: mail
  group_wait: 30s
  repeat_interval: 12h
receivers:
  - name: mail
    email_configs:
      - to: ${ALERT_EMAIL}
        send_resolved: true
inhibit_rules:
  - source_matchers: [severity="critical"]
    target_matchers: [severity="warning"]
    equal: [instance]
EOF

promtool check config /etc/prometheus/prometheus.yml
amtool check-config /etc/prometheus/alertmanager.yml
systemctl enable prometheus prometheus-alertmanager prometheus-node-exporter
systemctl restart prometheus prometheus-alertmanager prometheus-node-exporter

for url in http://127.0.0.1:9090/-/ready http://127.0.0.1:9093/-/ready; do
  curl -fsS --retry 20 --retry-delay 2 --retry-all-errors "$url" > /dev/null
done
sleep 30
curl -fsSG http://127.0.0.1:9090/api/v1/query --data-urlencode 'query=up{job="node"}' | jq -e '.data.result[0].value[1] == "1"' > /dev/null
