#!/usr/bin/env bash
# Prometheus, Alertmanager, Loki and Grafana on one host.
set -euo pipefail

: "${GRAFANA_ADMIN_PASSWORD:?}"
: "${SMTP_PASSWORD:?}"
export GRAFANA_ADMIN_PASSWORD

mkdir -p monitoring/{prometheus,alertmanager,grafana}
cd monitoring

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
EOF

cat > prometheus/rules.yml <<'EOF'
groups:
  - name: basics
    rules:
      - alert: TargetDown
        expr: up == 0
        for: 5m
        labels:
          severity: critical
        annotations:
          summary: "{{ $labels.instance }} is down"
EOF

cat > alertmanager/alertmanager.yml <<'EOF'
route:
  receiver: mail
  group_by: [alertname]
  group_wait: 30s
  repeat_interval: 4h
receivers:
  - name: mail
    email_configs:
      - to: ops@example.org
        from: alerts@example.org
        smarthost: smtp.example.org:587
        auth_username: alerts@example.org
        auth_password_file: /etc/alertmanager/smtp_password
EOF
printf '%s' "$SMTP_PASSWORD" |
  sudo install -o 65534 -g 65534 -m 0400 /dev/stdin alertmanager/smtp_password

cat > grafana/datasources.yml <<'EOF'
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

cat > compose.yaml <<'EOF'
services:
  prometheus:
    image: prom/prometheus:v3.0.1
    command:
      - --config.file=/etc/prometheus/prometheus.yml
      - --storage.tsdb.retention.time=30d
    volumes:
      - ./prometheus:/etc/prometheus:ro
      - prometheus:/prometheus
  alertmanager:
    image: prom/alertmanager:v0.27.0
    volumes:
      - ./alertmanager:/etc/alertmanager:ro
  loki:
    image: grafana/loki:3.3.2
    volumes:
      - loki:/loki
  grafana:
    image: grafana/grafana:11.4.0
    environment:
      GF_SECURITY_ADMIN_PASSWORD: ${GRAFANA_ADMIN_PASSWORD:?}
    ports:
      - "127.0.0.1:3000:3000"
    volumes:
      - ./grafana/datasources.yml:/etc/grafana/provisioning/datasources/all.yml:ro
volumes:
  prometheus:
  loki:
EOF

docker compose up -d
curl -fsS --retry 10 --retry-delay 3 --retry-all-errors http://127.0.0.1:3000/api/health
