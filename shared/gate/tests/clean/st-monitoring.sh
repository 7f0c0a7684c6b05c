#!/usr/bin/env bash
# Prometheus with Alertmanager and node exporter on one Debian server.
set -euo pipefail

: "${SMTP_PASSWORD:?set SMTP_PASSWORD}"
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends prometheus prometheus-alertmanager prometheus-node-exporter curl jq

cat > /etc/prometheus/prometheus.yml <<'EOF'
global:
  scrape_interval: 15s
  evaluation_interval: 30s

rule_files:
  - /etc/prometheus/rules/*.yml

alerting:
  alertmanagers:
    - static_configs:
        - targets: ["127.0.0.1:9093"]

scrape_configs:
  - job_name: prometheus
    static_configs:
      - targets: ["127.0.0.1:9090"]

  - job_name: node
    scrape_timeout: 10s
    static_configs:
      - targets: ["127.0.0.1:9100", "10.0.5.21:9100"]
        labels:
          env: production
EOF

install -d -m 0755 /etc/prometheus/rules
cat > /etc/prometheus/rules/host.yml <<'EOF'
groups:
  - name: host
    rules:
      - alert: HostDown
        expr: up{job="node"} == 0
        for: 3m
        labels:
          severity: critical
        annotations:
          summary: "{{ $labels.instance }} is down"

      - alert: DiskAlmostFull
        expr: node_filesystem_avail_bytes{fstype="ext4"} / node_filesystem_size_bytes{fstype="ext4"} < 0.10
        for: 15m
        labels:
          severity: warning
        annotations:
          summary: "{{ $labels.mountpoint }} on {{ $labels.instance }} has less than 10% left"
EOF

printf '%s' "$SMTP_PASSWORD" | install -o prometheus -g prometheus -m 0400 /dev/stdin /etc/prometheus/smtp_password
cat > /etc/prometheus/alertmanager.yml <<'EOF'
global:
  smtp_smarthost: smtp.example.com:587
  smtp_from: alerts@example.com
  smtp_auth_username: alerts@example.com
  smtp_auth_password_file: /etc/prometheus/smtp_password
  smtp_require_tls: true

route:
  receiver: mail
  group_by: [alertname, instance]
  group_wait: 30s
  group_interval: 5m
  repeat_interval: 4h
  routes:
    - receiver: oncall
      matchers:
        - severity="critical"
      repeat_interval: 1h

receivers:
  - name: mail
    email_configs:
      - to: ops@example.com
  - name: oncall
    email_configs:
      - to: oncall@example.com
        send_resolved: true
EOF

cat > /etc/default/prometheus <<'EOF'
ARGS="--web.listen-address=127.0.0.1:9090 --storage.tsdb.retention.time=30d"
EOF

promtool check config /etc/prometheus/prometheus.yml
amtool check-config /etc/prometheus/alertmanager.yml
systemctl enable prometheus prometheus-alertmanager prometheus-node-exporter
systemctl restart prometheus prometheus-alertmanager prometheus-node-exporter

curl --fail --silent --retry 10 --retry-delay 2 --retry-all-errors http://127.0.0.1:9090/-/ready
sleep 30
curl --fail --silent --get http://127.0.0.1:9090/api/v1/query --data-urlencode 'query=up{job="node",instance="127.0.0.1:9100"}' |
  jq -e '.data.result[0].value[1] == "1"'
