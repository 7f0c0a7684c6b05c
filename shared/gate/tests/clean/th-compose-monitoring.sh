#!/usr/bin/env bash
set -euo pipefail
: "${ALERT_WEBHOOK_URL:?set ALERT_WEBHOOK_URL}"

mkdir -p /opt/monitoring/{prometheus,alertmanager,loki,grafana/provisioning/datasources,secrets}
cd /opt/monitoring
if [ ! -s secrets/grafana_admin ]; then
  openssl rand -base64 24 | tr -d '\n' > secrets/grafana_admin
fi
chown 472:0 secrets/grafana_admin
chmod 0400 secrets/grafana_admin
chmod 0700 secrets

cat > prometheus/prometheus.yml <<'EOF'
global:
  scrape_interval: 30s
  evaluation_interval: 30s
rule_files:
  - /etc/prometheus/rules.yml
alerting:
  alertmanagers:
    - static_configs:
        - targets: ["alertmanager:9093"]
scrape_configs:
  - job_name: prometheus
    static_configs:
      - targets: ["localhost:9090"]
  - job_name: node
    static_configs:
      - targets: ["node-exporter:9100"]
EOF

cat > prometheus/rules.yml <<'EOF'
groups:
  - name: host
    rules:
      - alert: InstanceDown
        expr: up == 0
        for: 5m
        labels:
          severity: critical
        annotations:
          summary: "{{ $labels.instance }} is down"
      - alert: DiskAlmostFull
        expr: node_filesystem_avail_bytes{mountpoint="/"} / node_filesystem_size_bytes{mountpoint="/"} < 0.10
        for: 15m
        labels:
          severity: warning
EOF

cat > alertmanager/alertmanager.yml <<'EOF'
route:
  receiver: default
  group_by: [alertname]
  repeat_interval: 4h
  routes:
    - receiver: oncall
      matchers:
        - severity="critical"
receivers:
  - name: default
    webhook_configs:
      - url_file: /run/secrets/webhook_url
  - name: oncall
    webhook_configs:
      - url_file: /run/secrets/webhook_url
        send_resolved: true
EOF
printf '%s' "$ALERT_WEBHOOK_URL" > secrets/webhook_url

cat > grafana/provisioning/datasources/ds.yml <<'EOF'
apiVersion: 1
datasources:
  - name: Prometheus
    type: prometheus
    access: proxy
    url: http://prometheus:9090
    isDefault: true
  - name: Loki
    type: loki
    access: proxy
    url: http://loki:3100
EOF

cat > compose.yml <<'EOF'
services:
  prometheus:
    image: prom/prometheus:v3.0.1
    command: ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.retention.time=15d"]
    volumes: ["./prometheus:/etc/prometheus:ro", "prom:/prometheus"]
    ports: ["127.0.0.1:9090:9090"]
  alertmanager:
    image: prom/alertmanager:v0.27.0
    command: ["--config.file=/etc/alertmanager/alertmanager.yml"]
    volumes: ["./alertmanager:/etc/alertmanager:ro"]
    secrets: [webhook_url]
  node-exporter:
    image: prom/node-exporter:v1.8.2
    volumes: ["/:/host:ro,rslave"]
    command: ["--path.rootfs=/host"]
  loki:
    image: grafana/loki:3.3.1
    volumes: ["loki:/loki"]
  grafana:
    image: grafana/grafana:11.4.0
    environment:
      GF_SECURITY_ADMIN_PASSWORD__FILE: /run/secrets/grafana_admin
    secrets: [grafana_admin]
    volumes: ["./grafana/provisioning:/etc/grafana/provisioning:ro", "grafana:/var/lib/grafana"]
    ports: ["127.0.0.1:3000:3000"]
    depends_on: [prometheus, loki]
volumes: { prom: {}, loki: {}, grafana: {} }
secrets:
  grafana_admin:
    file: ./secrets/grafana_admin
  webhook_url:
    file: ./secrets/webhook_url
EOF

docker run --rm -v "$PWD/prometheus:/etc/prometheus:ro" --entrypoint promtool prom/prometheus:v3.0.1 check config /etc/prometheus/prometheus.yml
docker compose up -d
curl -fsS --retry 20 --retry-delay 3 --retry-all-errors http://127.0.0.1:9090/-/ready
curl -fsS --retry 20 --retry-delay 3 --retry-all-errors http://127.0.0.1:3000/api/health | jq -e '.database == "ok"' > /dev/null
