#!/usr/bin/env bash
# Prometheus and Grafana for the shop; both listen on the loopback, seen through an SSH tunnel.
set -euo pipefail

work="${WORK_DIR:-$PWD/compose-metrics}"
mkdir -p "$work/prometheus" "$work/grafana/provisioning/datasources"
cd "$work"

if [[ ! -s grafana_password ]]; then
  openssl rand -base64 24 | install -m 0600 /dev/stdin grafana_password
fi

cat > prometheus/prometheus.yml <<'EOF'
global:
  scrape_interval: 30s
rule_files:
  - /etc/prometheus/rules.yml
scrape_configs:
  - job_name: node
    static_configs:
      - targets: ["node:9100"]
  - job_name: blackbox
    metrics_path: /probe
    params:
      module: [http_2xx]
    static_configs:
      - targets: ["https://shop.example/"]
    relabel_configs:
      - source_labels: [__address__]
        target_label: __param_target
      - source_labels: [__param_target]
        target_label: instance
      - target_label: __address__
        replacement: blackbox:9115
EOF

cat > prometheus/rules.yml <<'EOF'
groups:
  - name: shop
    rules:
      - alert: ShopDown
        expr: probe_success == 0
        for: 5m
        labels: {severity: page}
        annotations:
          summary: "{{ $labels.instance }} does not answer"
EOF

cat > grafana/provisioning/datasources/prometheus.yml <<'EOF'
apiVersion: 1
datasources:
  - name: Prometheus
    type: prometheus
    url: http://prometheus:9090
    isDefault: true
EOF

cat > compose.yaml <<'EOF'
services:
  prometheus:
    image: prom/prometheus:v2.55.1
    restart: unless-stopped
    command:
      - --config.file=/etc/prometheus/prometheus.yml
      - --storage.tsdb.retention.time=30d
    volumes:
      - ./prometheus:/etc/prometheus:ro
      - prometheus_data:/prometheus
    ports:
      - "127.0.0.1:9090:9090"
  node:
    image: prom/node-exporter:v1.8.2
    restart: unless-stopped
    command: ["--path.rootfs=/host"]
    volumes:
      - /:/host:ro,rslave
  blackbox:
    image: prom/blackbox-exporter:v0.25.0
    restart: unless-stopped
  grafana:
    image: grafana/grafana:11.3.1
    restart: unless-stopped
    user: "${GRAFANA_UID:?}"
    environment:
      GF_SECURITY_ADMIN_PASSWORD__FILE: /run/secrets/grafana_password
      GF_USERS_ALLOW_SIGN_UP: "false"
    secrets: [grafana_password]
    volumes:
      - ./grafana/provisioning:/etc/grafana/provisioning:ro
      - grafana_data:/var/lib/grafana
    ports:
      - "127.0.0.1:3000:3000"

volumes:
  prometheus_data:
  grafana_data:

secrets:
  grafana_password:
    file: ./grafana_password
EOF

export GRAFANA_UID="$UID"
docker compose config --quiet
docker compose run --rm --no-deps --entrypoint promtool prometheus check config /etc/prometheus/prometheus.yml
docker compose up --detach --wait
docker compose kill --signal SIGHUP prometheus
docker compose restart grafana
curl -fsS --retry 10 --retry-delay 2 --retry-all-errors http://127.0.0.1:9090/-/ready
curl -fsS --retry 10 --retry-delay 2 --retry-all-errors http://127.0.0.1:3000/api/health | jq -e '.database == "ok"'
