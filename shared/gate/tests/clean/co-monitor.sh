#!/usr/bin/env bash
# Prometheus, Grafana and an exporter
set -euo pipefail
mkdir -p ~/workspace/monitor && cd ~/workspace/monitor
cat >prometheus.yml <<'EOF'
global:
  scrape_interval: 15s
  evaluation_interval: 30s
rule_files:
  - rules.yml
scrape_configs:
  - job_name: node
    static_configs:
      - targets: ["exporter:9100"]
EOF
cat >rules.yml <<'EOF'
groups:
  - name: host
    rules:
      - alert: DiskFull
        expr: node_filesystem_avail_bytes{mountpoint="/"} / node_filesystem_size_bytes{mountpoint="/"} < 0.1
        for: 15m
        labels:
          severity: page
        annotations:
          summary: "{{ $labels.instance }} has less than a tenth left"
EOF
cat >compose.yaml <<'EOF'
services:
  prometheus:
    image: prom/prometheus:v3.4.0
    restart: unless-stopped
    command:
      - --config.file=/etc/prometheus/prometheus.yml
      - --storage.tsdb.retention.time=30d
    volumes:
      - ./prometheus.yml:/etc/prometheus/prometheus.yml:ro
      - ./rules.yml:/etc/prometheus/rules.yml:ro
      - metrics:/prometheus
    ports:
      - "127.0.0.1:9090:9090"
  grafana:
    image: grafana/grafana:12.0.1
    restart: unless-stopped
    environment:
      GF_SECURITY_ADMIN_PASSWORD__FILE: /run/secrets/admin
    secrets: [admin]
    ports:
      - "127.0.0.1:3000:3000"
    volumes:
      - dashboards:/var/lib/grafana
  exporter:
    image: prom/node-exporter:v1.9.1
    restart: unless-stopped
    pid: host
    volumes:
      - /:/host:ro,rslave
    command: ["--path.rootfs=/host"]
secrets:
  admin:
    file: ./admin-password
volumes:
  metrics:
  dashboards:
EOF
umask 077
[ -s admin-password ] || openssl rand -hex 24 >admin-password
docker compose run --rm --no-deps --entrypoint promtool prometheus check config /etc/prometheus/prometheus.yml
docker compose up -d
