#!/usr/bin/env bash
set -euo pipefail

work="$(mktemp -d)"
trap 'rm -rf -- "$work"' EXIT

mkdir -p "$work/prometheus" "$work/grafana"

cat > "$work/prometheus/prometheus.yml" <<'EOF'
global:
  scrape_interval: 15s
  evaluation_interval: 15s

rule_files:
  - /etc/prometheus/alerts.yml

scrape_configs:
  - job_name: prometheus
    static_configs:
      - targets: ["localhost:9090"]
  - job_name: node
    static_configs:
      - targets: ["node-exporter:9100"]
        labels:
          host: shop
EOF

cat > "$work/prometheus/alerts.yml" <<'EOF'
groups:
  - name: host
    rules:
      - alert: InstanceDown
        expr: up == 0
        for: 2m
        labels:
          severity: critical
        annotations:
          summary: "{{ $labels.instance }} is down"
      - alert: DiskAlmostFull
        expr: node_filesystem_avail_bytes / node_filesystem_size_bytes < 0.1
        for: 10m
        labels:
          severity: warning
        annotations:
          summary: "{{ $labels.mountpoint }}: less than 10 % free"
EOF

cat > "$work/grafana/datasource.yml" <<'EOF'
apiVersion: 1
datasources:
  - name: Prometheus
    type: prometheus
    access: proxy
    url: http://prometheus:9090
    isDefault: true
EOF

cat > "$work/compose.yml" <<'EOF'
name: monitoring

services:
  prometheus:
    image: prom/prometheus:v3.0.1
    command:
      - --config.file=/etc/prometheus/prometheus.yml
      - --storage.tsdb.path=/prometheus
      - --storage.tsdb.retention.time=30d
    volumes:
      - ./prometheus:/etc/prometheus:ro
      - prometheus:/prometheus
    ports:
      - "127.0.0.1:9090:9090"
    restart: unless-stopped

  node-exporter:
    image: prom/node-exporter:v1.8.2
    command:
      - --path.rootfs=/host
    pid: host
    volumes:
      - /:/host:ro,rslave
    restart: unless-stopped

  grafana:
    image: grafana/grafana:11.4.0
    environment:
      GF_AUTH_ANONYMOUS_ENABLED: "false"
      GF_USERS_ALLOW_SIGN_UP: "false"
      GF_SERVER_ROOT_URL: https://shop.example.com/grafana/
    volumes:
      - ./grafana/datasource.yml:/etc/grafana/provisioning/datasources/prometheus.yml:ro
      - grafana:/var/lib/grafana
    ports:
      - "127.0.0.1:3000:3000"
    depends_on:
      - prometheus
    restart: unless-stopped

volumes:
  prometheus:
  grafana:
EOF

docker compose -f "$work/compose.yml" config --quiet

ssh server 'sudo install -d -o "$(id -un)" -m 0755 /opt/monitoring'
tar -C "$work" -cf - . | ssh server "tar -C /opt/monitoring --no-same-permissions -xf - && chmod 0755 /opt/monitoring"
ssh server "cd /opt/monitoring && sudo docker compose up -d --wait"
ssh server "cd /opt/monitoring && sudo docker compose exec -T prometheus promtool check config /etc/prometheus/prometheus.yml"
ssh server "cd /opt/monitoring && sudo docker compose restart prometheus grafana"
ssh server "curl -fsS --retry 10 --retry-delay 2 --retry-all-errors http://127.0.0.1:9090/-/ready"
ssh server "curl -fsS --retry 10 --retry-delay 2 --retry-all-errors http://127.0.0.1:3000/api/health"
