#!/usr/bin/env bash
# Configure HAProxy on lb2: HTTPS for everyone on 443, redirect on 80, statistics on 127.0.0.1 only; check the file, then reload without dropping connections.
set -euo pipefail

cat > haproxy.cfg <<'EOF'
global
    log /dev/log local0
    chroot /var/lib/haproxy
    stats socket /run/haproxy/admin.sock mode 660 level admin
    user haproxy
    group haproxy
    daemon
    maxconn 10000
    ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets

defaults
    log global
    mode http
    option httplog
    option dontlognull
    option forwardfor
    timeout connect 5s
    timeout client 50s
    timeout server 50s
    timeout http-request 10s
    default-server check inter 3s fall 3 rise 2

frontend plain
    bind :80
    http-request redirect scheme https code 301

frontend secure
    bind :443 ssl crt /etc/haproxy/certs/ alpn h2,http/1.1
    http-request set-header X-Forwarded-Proto https
    http-response set-header Strict-Transport-Security max-age=31536000
    acl is_api path_beg /api/
    use_backend api if is_api
    default_backend web

backend web
    balance roundrobin
    option httpchk GET /healthz
    server web1 10.0.2.11:8080
    server web2 10.0.2.12:8080

backend api
    balance leastconn
    option httpchk GET /api/healthz
    server api1 10.0.2.21:9000
    server api2 10.0.2.22:9000 backup

listen stats
    bind 127.0.0.1:8404
    stats enable
    stats uri /stats
    stats refresh 10s
EOF

scp -q haproxy.cfg lb2:haproxy.cfg.new

ssh lb2 'sudo DEBIAN_FRONTEND=noninteractive bash -euo pipefail -s -- "$HOME/haproxy.cfg.new"' <<'REMOTE'
new=$1
if ! command -v haproxy >/dev/null; then
  apt-get update -q </dev/null
  apt-get install -y -q haproxy </dev/null
fi

if ! compgen -G '/etc/haproxy/certs/*.pem' >/dev/null; then
  echo "no certificate in /etc/haproxy/certs, run the certificate step first" >&2
  exit 1
fi

haproxy -c -f "$new"
systemctl enable --now haproxy

if cmp -s "$new" /etc/haproxy/haproxy.cfg; then
  echo "configuration unchanged"
else
  cp -p /etc/haproxy/haproxy.cfg /etc/haproxy/haproxy.cfg.bak
  install -o root -g root -m 0644 "$new" /etc/haproxy/haproxy.cfg
  systemctl reload haproxy
fi
rm -f -- "$new"

sleep 5
systemctl is-active --quiet haproxy
down=$(curl -fsS 'http://127.0.0.1:8404/stats;csv' | awk -F, '$2 ~ /^(web|api)[0-9]/ && $18 ~ /^DOWN/ {print $2}')
if [ -n "$down" ]; then
  echo "warning, servers down: $down" >&2
fi
code=$(curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1/)
[ "$code" = 301 ]
REMOTE
