#!/usr/bin/env bash
# Puts HAProxy in front of two application servers
set -euo pipefail
cat > /tmp/haproxy.cfg <<'EOF'
global
    log /dev/log local0
    maxconn 4096
    user haproxy
    group haproxy

defaults
    mode http
    log global
    option httplog
    timeout connect 5s
    timeout client 30s
    timeout server 30s

frontend web
    bind :80
    bind :443 ssl crt /etc/haproxy/certs/
    http-request redirect scheme https unless { ssl_fc }
    default_backend application

backend application
    option httpchk GET /health
    server one 10.0.0.11:8080 check
    server two 10.0.0.12:8080 check
EOF
haproxy -c -f /tmp/haproxy.cfg
ssh server 'sudo tee /etc/haproxy/haproxy.cfg >/dev/null' < /tmp/haproxy.cfg
ssh server 'sudo haproxy -c -q -f /etc/haproxy/haproxy.cfg && sudo systemctl reload haproxy'
for _ in 1 2 3 4; do
  curl -fsS -o /dev/null --max-time 5 http://203.0.113.9/health
done
