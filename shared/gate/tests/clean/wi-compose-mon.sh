#!/usr/bin/env bash
set -euo pipefail
mkdir -p mon/grafana/provisioning/{datasources,dashboards} mon/grafana/dashboards && cd mon
cat > prometheus.yml <<'EOF'
global:
  scrape_interval: 15s
rule_files:
  - rules.yml
scrape_configs:
  - job_name: node
    static_configs:
      - targets: ["node:9100"]
        labels:
          env: prod
EOF
cat > rules.yml <<'EOF'
groups:
  - name: node
    rules:
      - alert: InstanceDown
        expr: up == 0
        for: 5m
        labels:
          severity: page
        annotations:
          summary: "{{ $labels.instance }} is down ({{ $value | humanize }})"
EOF
cat > grafana/provisioning/datasources/prom.yml <<'EOF'
apiVersion: 1
datasources:
  - name: Prometheus
    type: prometheus
    access: proxy
    url: http://prometheus:9090
    isDefault: true
EOF
cat > grafana/provisioning/dashboards/files.yml <<'EOF'
apiVersion: 1
providers:
  - name: files
    type: file
    options:
      path: /var/lib/grafana/dashboards
EOF
echo '{"uid":"up","title":"Up","panels":[],"schemaVersion":39}' > grafana/dashboards/up.json
[[ -s admin_password ]] || (umask 077; openssl rand -hex 20 > admin_password)
cat > compose.yaml <<'EOF'
services:
  prometheus:
    image: prom/prometheus:v3.0.1
    volumes:
      - ./prometheus.yml:/etc/prometheus/prometheus.yml:ro
      - ./rules.yml:/etc/prometheus/rules.yml:ro
      - prom:/prometheus
  node:
    image: prom/node-exporter:v1.8.2
  grafana:
    image: grafana/grafana:11.4.0
    user: "0"
    ports: ["127.0.0.1:3000:3000"]
    environment:
      GF_SECURITY_ADMIN_PASSWORD__FILE: /run/secrets/admin_password
    secrets: [admin_password]
    volumes:
      - ./grafana/provisioning:/etc/grafana/provisioning:ro
      - ./grafana/dashboards:/var/lib/grafana/dashboards:ro
volumes:
  prom: {}
secrets:
  admin_password:
    file: ./admin_password
EOF
docker compose run --rm --no-deps --entrypoint promtool prometheus check config /etc/prometheus/prometheus.yml
docker compose up -d
curl -fsS --retry 12 --retry-all-errors --retry-delay 3 http://127.0.0.1:3000/api/health
