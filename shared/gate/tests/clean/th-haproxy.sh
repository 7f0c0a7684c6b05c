#!/usr/bin/env bash
set -euo pipefail
: "${SITE_DOMAIN:?set SITE_DOMAIN}"
: "${APP1_IP:?set APP1_IP}"
: "${APP2_IP:?set APP2_IP}"
apt-get update
apt-get install -y --no-install-recommends haproxy openssl curl socat

install -d -m 0750 -o root -g haproxy /etc/haproxy/certs
pem="/etc/haproxy/certs/${SITE_DOMAIN}.pem"
if [ ! -s "$pem" ]; then
  # A self-signed certificate until the real one is there.
  tmp="$(mktemp -d)"
  trap 'rm -rf "$tmp"' EXIT
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=${SITE_DOMAIN}" \
    -addext "subjectAltName=DNS:${SITE_DOMAIN}" -keyout "$tmp/key.pem" -out "$tmp/cert.pem"
  ( umask 077; cat "$tmp/cert.pem" "$tmp/key.pem" > "$pem" )
fi

install -d /etc/haproxy/errors
cat > /etc/haproxy/errors/503-site.http <<'EOF'
HTTP/1.0 503 Service Unavailable
Cache-Control: no-cache
Content-Type: text/html

<html><body><h1>Back in a minute</h1></body></html>
EOF

cat > /etc/haproxy/haproxy.cfg <<EOF
global
    log /dev/log local0
    stats socket /run/haproxy/admin.sock mode 660 level admin
    user haproxy
    group haproxy
    maxconn 4000
    ssl-default-bind-options ssl-min-ver TLSv1.2

defaults
    log global
    mode http
    option httplog
    option forwardfor
    timeout connect 5s
    timeout client 30s
    timeout server 30s
    errorfile 503 /etc/haproxy/errors/503-site.http

frontend http_in
    bind :80
    http-request redirect scheme https code 301 unless { ssl_fc }

frontend https_in
    bind :443 ssl crt ${pem} alpn h2,http/1.1
    acl is_api path_beg /api/
    http-response set-header Strict-Transport-Security max-age=31536000
    use_backend api if is_api
    default_backend web

backend web
    balance roundrobin
    option httpchk GET /healthz
    server app1 ${APP1_IP}:8000 check
    server app2 ${APP2_IP}:8000 check

backend api
    balance leastconn
    server app1 ${APP1_IP}:9000 check
    server app2 ${APP2_IP}:9000 check backup

frontend stats
    bind 127.0.0.1:8404
    stats enable
    stats uri /stats
EOF

haproxy -c -f /etc/haproxy/haproxy.cfg
systemctl enable haproxy
systemctl restart haproxy

location="$(curl -sS -o /dev/null -w '%{redirect_url}' -H "Host: ${SITE_DOMAIN}" http://127.0.0.1/)"
test "$location" = "https://${SITE_DOMAIN}/"
echo 'show stat' | socat stdio /run/haproxy/admin.sock | grep -q '^web,app1,'
curl -fsS http://127.0.0.1:8404/stats > /dev/null
