#!/usr/bin/env bash
# Alerting rules of the shop with unit tests, and Alertmanager's routes; both tested before they are installed.
set -euo pipefail

root=~/workspace/alerting
mkdir -p "$root"
cd "$root"

cat > shop.rules.yml <<'EOF'
groups:
  - name: shop
    rules:
      - record: job:http_requests_errors:ratio5m
        expr: |
          sum by (job) (rate(http_requests_total{code=~"5.."}[5m]))
            /
          sum by (job) (rate(http_requests_total[5m]))

      - alert: ShopErrors
        expr: job:http_requests_errors:ratio5m > 0.05
        for: 10m
        labels:
          severity: critical
        annotations:
          summary: "{{ $labels.job }}: {{ $value | humanizePercentage }} of the requests fail"

      - alert: DiskFillsUp
        expr: |
          predict_linear(node_filesystem_avail_bytes{fstype!~"tmpfs|overlay"}[6h], 24 * 3600) < 0
            and
          node_filesystem_avail_bytes{fstype!~"tmpfs|overlay"} / node_filesystem_size_bytes < 0.2
        for: 30m
        labels:
          severity: warning
        annotations:
          summary: "{{ $labels.mountpoint }} on {{ $labels.instance }} is full within a day"

      - alert: CertificateExpires
        expr: probe_ssl_earliest_cert_expiry - time() < 14 * 86400
        for: 1h
        labels:
          severity: warning
        annotations:
          summary: "The certificate of {{ $labels.instance }} expires in {{ $value | humanizeDuration }}"

      - alert: TargetDown
        expr: up == 0
        for: 5m
        labels:
          severity: critical
        annotations:
          summary: "{{ $labels.job }} on {{ $labels.instance }} does not answer"
EOF

cat > shop.test.yml <<'EOF'
rule_files:
  - shop.rules.yml
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - series: 'up{job="shop", instance="app1:8000"}'
        values: "1 1 0x10"
    alert_rule_test:
      - eval_time: 5m
        alertname: TargetDown
        exp_alerts: []
      - eval_time: 8m
        alertname: TargetDown
        exp_alerts:
          - exp_labels: { severity: critical, job: shop, instance: "app1:8000" }
            exp_annotations:
              summary: shop on app1:8000 does not answer
EOF

cat > alertmanager.yml <<'EOF'
global:
  smtp_smarthost: mail.example.org:587
  smtp_from: alerts@example.org
  smtp_auth_username: alerts@example.org
  smtp_auth_password_file: /etc/prometheus/alertmanager-smtp-password
  smtp_require_tls: true

route:
  receiver: mail
  group_by: [alertname, job]
  group_wait: 30s
  group_interval: 5m
  repeat_interval: 12h
  routes:
    - receiver: pager
      matchers: ['severity = "critical"']
      repeat_interval: 1h

inhibit_rules:
  - source_matchers: ['alertname = "TargetDown"']
    target_matchers: ['severity = "warning"']
    equal: [instance]

receivers:
  - name: mail
    email_configs:
      - to: ops@example.org
        send_resolved: true
  - name: pager
    email_configs:
      - to: oncall@example.org
        send_resolved: true
EOF

promtool() { docker run --rm -v "$PWD:/work:ro" -w /work --entrypoint promtool prom/prometheus:v3.5.0 "$@"; }
amtool() { docker run --rm -v "$PWD:/work:ro" -w /work --entrypoint amtool prom/alertmanager:v0.28.1 "$@"; }

promtool check rules shop.rules.yml
promtool test rules shop.test.yml
amtool check-config alertmanager.yml
amtool config routes test --config.file=alertmanager.yml --verify.receivers=pager severity=critical alertname=ShopErrors
amtool config routes test --config.file=alertmanager.yml --verify.receivers=mail severity=warning alertname=DiskFillsUp

scp -q shop.rules.yml alertmanager.yml server:/tmp/
ssh server 'sudo test -s /etc/prometheus/alertmanager-smtp-password'
ssh server 'sudo install -D -m 0644 /tmp/shop.rules.yml /etc/prometheus/rules/shop.rules.yml && sudo install -m 0644 /tmp/alertmanager.yml /etc/prometheus/alertmanager.yml && rm /tmp/shop.rules.yml /tmp/alertmanager.yml'
ssh server "grep -F '/etc/prometheus/rules/*.yml' /etc/prometheus/prometheus.yml && sudo systemctl reload prometheus prometheus-alertmanager"
sleep 3
ssh server 'curl -fsS http://127.0.0.1:9090/api/v1/rules?type=alert' | jq -e '[.data.groups[].rules[].name] | contains(["ShopErrors", "TargetDown"])'
