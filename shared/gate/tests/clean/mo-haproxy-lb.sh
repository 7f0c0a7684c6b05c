#!/usr/bin/env bash
# HAProxy: TLS termination, two backends, health checks.
set -euo pipefail

cfg=/etc/haproxy/haproxy.cfg
new=$(mktemp)
trap 'rm -f -- "$new"' EXIT

apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -y -q haproxy

cat > "$new" <<'EOF'
global
    log /dev/log local0
    maxconn 4000
    user haproxy
    group haproxy
    daemon
    ssl-default-bind-options ssl-min-ver TLSv1.2

defaults
    log global
    mode http
    option httplog
    option dontlognull
    timeout connect 5s
    timeout client 30s
    timeout server 30s

frontend web
    bind :80
    bind :443 ssl crt /etc/haproxy/certs/site.pem alpn h2,http/1.1
    http-request redirect scheme https code 301 unless { ssl_fc }
    http-request set-header X-Forwarded-Proto https
    acl is_api path_beg /api/
    use_backend api if is_api
    default_backend site

backend site
    balance roundrobin
    option httpchk GET /healthz
    http-check expect status 200
    server site1 10.20.1.11:8080 check inter 3s fall 3 rise 2
    server site2 10.20.1.12:8080 check inter 3s fall 3 rise 2

backend api
    balance leastconn
    option httpchk GET /api/health
    server api1 10.20.1.21:9000 check
    server api2 10.20.1.22:9000 check backup
EOF

if [[ ! -r /etc/haproxy/certs/site.pem ]]; then
  echo "certificate missing" >&2
  exit 1
fi

haproxy -c -f "$new"
if ! cmp -s "$new" "$cfg"; then
  cp -a "$cfg" "$cfg.$(date +%Y%m%d%H%M%S)"
  install -m 0644 "$new" "$cfg"
  systemctl reload haproxy
fi
