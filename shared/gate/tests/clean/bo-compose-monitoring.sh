#!/usr/bin/env bash
# Deploy Prometheus, Alertmanager and Grafana on mon1 with Compose; all ports on 127.0.0.1 only (reached through an SSH tunnel).
set -euo pipefail
: "${SLACK_WEBHOOK_FILE:?path of a local file that holds the Slack webhook URL}"
test -s "$SLACK_WEBHOOK_FILE"

mkdir -p monitoring/{prometheus/rules,alertmanager,grafana/datasources}
cat > monitoring/compose.yaml <<'EOF'
name: monitoring
services:
  prometheus:
    image: prom/prometheus:v2.55.1
    restart: unless-stopped
    command:
      - --config.file=/etc/prometheus/prometheus.yml
      - --storage.tsdb.path=/prometheus
      - --storage.tsdb.retention.time=30d
    ports: ["127.0.0.1:9090:9090"]
    volumes:
      - ./prometheus:/etc/prometheus:ro
      - prometheus:/prometheus
  alertmanager:
    image: prom/alertmanager:v0.27.0
    restart: unless-stopped
    command:
      - --config.file=/etc/alertmanager/alertmanager.yml
      - --storage.path=/alertmanager
    ports: ["127.0.0.1:9093:9093"]
    volumes:
      - ./alertmanager:/etc/alertmanager:ro
      - alertmanager:/alertmanager
    secrets: [slack_webhook]
  grafana:
    image: grafana/grafana:11.4.0
    restart: unless-stopped
    environment:
      GF_SECURITY_ADMIN_PASSWORD__FILE: /run/secrets/grafana_admin
      GF_USERS_ALLOW_SIGN_UP: "false"
      GF_AUTH_ANONYMOUS_ENABLED: "false"
    ports: ["127.0.0.1:3000:3000"]
    volumes:
      - ./grafana/datasources:/etc/grafana/provisioning/datasources:ro
      - grafana:/var/lib/grafana
    secrets: [grafana_admin]
volumes: { prometheus: {}, alertmanager: {}, grafana: {} }
secrets:
  slack_webhook: { file: ./secrets/slack_webhook }
  grafana_admin: { file: ./secrets/grafana_admin }
EOF

cat > monitoring/prometheus/prometheus.yml <<'EOF'
global: { scrape_interval: 30s, evaluation_interval: 30s }
rule_files: [/etc/prometheus/rules/*.yml]
alerting:
  alertmanagers:
    - static_configs: [{ targets: ["alertmanager:9093"] }]
scrape_configs:
  - job_name: node
    static_configs:
      - targets: ["10.0.1.11:9100", "10.0.1.12:9100", "10.0.3.10:9100"]
EOF

cat > monitoring/prometheus/rules/node.yml <<'EOF'
groups:
  - name: node
    rules:
      - alert: HostDown
        expr: up{job="node"} == 0
        for: 5m
        labels: { severity: critical }
        annotations: { summary: "{{ $labels.instance }} is down" }
      - alert: DiskAlmostFull
        expr: node_filesystem_avail_bytes{fstype!~"tmpfs|overlay"} / node_filesystem_size_bytes{fstype!~"tmpfs|overlay"} < 0.10
        for: 15m
        labels: { severity: warning }
        annotations: { summary: "{{ $labels.instance }} {{ $labels.mountpoint }}: less than 10% free" }
EOF

cat > monitoring/alertmanager/alertmanager.yml <<'EOF'
route: { receiver: slack, group_by: [alertname], repeat_interval: 4h }
receivers:
  - name: slack
    slack_configs:
      - api_url_file: /run/secrets/slack_webhook
        channel: "#alerts"
        send_resolved: true
EOF

cat > monitoring/grafana/datasources/prometheus.yml <<'EOF'
apiVersion: 1
datasources:
  - { name: Prometheus, type: prometheus, access: proxy, url: "http://prometheus:9090", isDefault: true }
EOF

chmod -R u=rwX,go=rX monitoring
ssh mon1 'umask 022; mkdir -p ~/monitoring && install -d -m 0700 ~/monitoring/secrets'
rsync -a monitoring/ mon1:monitoring/
# Folder closed, file readable: the containers run as other users.
rsync -a --chmod=F0444 "$SLACK_WEBHOOK_FILE" mon1:monitoring/secrets/slack_webhook

ssh mon1 'bash -euo pipefail -s' <<'REMOTE'
cd ~/monitoring
if [ ! -s secrets/grafana_admin ]; then
  openssl rand -base64 24 | tr -d '\n' > secrets/grafana_admin
  chmod 0444 secrets/grafana_admin
fi
docker compose run --rm -T --no-deps --entrypoint promtool prometheus check config /etc/prometheus/prometheus.yml </dev/null
docker compose run --rm -T --no-deps --entrypoint amtool alertmanager check-config /etc/alertmanager/alertmanager.yml </dev/null
docker compose up -d --wait </dev/null
for url in http://127.0.0.1:9090/-/ready http://127.0.0.1:9093/-/ready http://127.0.0.1:3000/api/health; do
  curl -fsS -o /dev/null --retry 20 --retry-delay 2 --retry-all-errors "$url"
done
# Both run now: make them read rule and route changes of this run.
docker compose kill -s HUP prometheus alertmanager </dev/null
sleep 3
curl -fsS http://127.0.0.1:9090/api/v1/status/config >/dev/null
curl -fsS http://127.0.0.1:9093/-/ready >/dev/null
REMOTE
