#!/usr/bin/env bash
set -euo pipefail

mkdir -p lb && cd lb
cat > haproxy.cfg <<'EOF'
global
    log stdout format raw local0
    maxconn 2000

defaults
    mode http
    log global
    option httplog
    timeout connect 5s
    timeout client 30s
    timeout server 30s

frontend www
    bind :80
    acl is_api path_beg /api/
    http-request set-header X-Forwarded-Proto http
    use_backend api if is_api
    default_backend web

backend api
    balance leastconn
    option httpchk GET /healthz
    server api1 10.20.1.11:8080 check
    server api2 10.20.1.12:8080 check

backend web
    balance roundrobin
    server web1 10.20.1.21:8080 check

listen stats
    bind 127.0.0.1:8404
    stats enable
    stats uri /stats
EOF
docker run --rm -v "$PWD/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro" haproxy:3.1.1 haproxy -c -f /usr/local/etc/haproxy/haproxy.cfg
scp -q haproxy.cfg server:/etc/haproxy/haproxy.cfg
ssh server 'haproxy -c -f /etc/haproxy/haproxy.cfg && systemctl reload haproxy && systemctl is-active haproxy'
