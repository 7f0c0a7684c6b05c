#!/usr/bin/env bash
# Writes the monitoring stack on the server and starts it
set -euo pipefail
cd ~/workspace
mkdir -p monitoring/rules
cat > monitoring/compose.yaml <<'EOF'
name: monitoring

x-defaults: &defaults
  restart: unless-stopped
  logging:
    driver: json-file
    options: {max-size: 10m, max-file: "3"}

services:
  prometheus:
    <<: *defaults
    image: prom/prometheus:v3.5.0@sha256:63805ebb8d2b3920190daf1cb14a60871b16fd38bed42b857a3182bc621f4996
    command:
      - --config.file=/etc/prometheus/prometheus.yml
      - --storage.tsdb.retention.time=30d
    ports:
      - target: 9090
        published: 9090
        host_ip: 127.0.0.1
    volumes:
      - type: bind
        source: ./prometheus.yml
        target: /etc/prometheus/prometheus.yml
        read_only: true
      - type: bind
        source: ./rules
        target: /etc/prometheus/rules
        read_only: true
      - metrics:/prometheus

  grafana:
    <<: *defaults
    image: grafana/grafana:12.2.0
    environment:
      - GF_SECURITY_ADMIN_PASSWORD__FILE=/run/secrets/grafana
      - GF_USERS_ALLOW_SIGN_UP=false
    ports: ["127.0.0.1:3000:3000"]
    secrets:
      - source: grafana
        mode: 0400
    depends_on: [prometheus]

volumes:
  metrics: {}

secrets:
  grafana:
    file: ./grafana.secret
EOF
cat > monitoring/prometheus.yml <<'EOF'
global:
  scrape_interval: 15s
rule_files:
  - /etc/prometheus/rules/*.yml
scrape_configs:
  - job_name: node
    static_configs:
      - targets: ["host.docker.internal:9100"]
EOF
cat > monitoring/rules/host.yml <<'EOF'
groups:
  - name: host
    rules:
      - alert: DiskFull
        expr: node_filesystem_avail_bytes{fstype!~"tmpfs|overlay"} / node_filesystem_size_bytes < 0.1
        for: 10m
        labels:
          severity: page
        annotations:
          summary: "{{ $labels.instance }}: {{ $labels.mountpoint }} is almost full"
EOF
[ -s monitoring/grafana.secret ] || (umask 077 && openssl rand -hex 24 > monitoring/grafana.secret)
docker compose --project-directory monitoring config --quiet
rsync -a --delete monitoring/ server:/srv/monitoring/
ssh server 'cd /srv/monitoring && docker compose up -d --wait'
ssh server 'curl -fsS http://127.0.0.1:9090/-/ready'
