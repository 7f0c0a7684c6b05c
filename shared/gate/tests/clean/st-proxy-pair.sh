#!/usr/bin/env bash
# HAProxy ends TLS and spreads requests over two local nginx servers' ports.
set -euo pipefail

export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends haproxy nginx curl

if [ ! -s /etc/haproxy/certs/site.pem ]; then
  echo "missing /etc/haproxy/certs/site.pem" >&2
  exit 1
fi

cat > /etc/nginx/conf.d/limits.conf <<'EOF'
limit_req_zone $http_x_forwarded_for zone=perclient:10m rate=10r/s;
EOF

cat > /etc/nginx/sites-available/portal <<'EOF'
upstream portal_app {
    least_conn;
    server 10.0.3.11:8080 max_fails=3 fail_timeout=10s;
    server 10.0.3.12:8080 max_fails=3 fail_timeout=10s;
    keepalive 16;
}

server {
    listen 127.0.0.1:8081;
    listen 127.0.0.1:8082;
    server_name portal.example.org;
    root /var/www/portal;

    location = /healthz {
        access_log off;
        default_type text/plain;
        return 200 "ok\n";
    }

    location /static/ {
        expires 7d;
        try_files $uri =404;
    }

    location / {
        limit_req zone=perclient burst=20 nodelay;
        proxy_pass http://portal_app;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_connect_timeout 3s;
        proxy_read_timeout 30s;
    }
}
EOF
ln -sfn /etc/nginx/sites-available/portal /etc/nginx/sites-enabled/portal
rm -f /etc/nginx/sites-enabled/default

cat > /etc/haproxy/haproxy.cfg <<'EOF'
global
    log /dev/log local0
    user haproxy
    group haproxy
    maxconn 4000
    ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets

defaults
    log global
    mode http
    option httplog
    option forwardfor
    timeout connect 5s
    timeout client 30s
    timeout server 30s

frontend web
    bind :80
    bind :443 ssl crt /etc/haproxy/certs/site.pem alpn h2,http/1.1
    http-request redirect scheme https code 301 unless { ssl_fc }
    http-request del-header X-Forwarded-For
    http-request set-header X-Forwarded-Proto https if { ssl_fc }
    default_backend portal

backend portal
    balance roundrobin
    option httpchk
    http-check send meth GET uri /healthz ver HTTP/1.1 hdr Host portal.example.org
    http-check expect status 200
    server nginx1 127.0.0.1:8081 check inter 2s fall 3 rise 2
    server nginx2 127.0.0.1:8082 check inter 2s fall 3 rise 2
EOF

nginx -t
haproxy -c -f /etc/haproxy/haproxy.cfg
systemctl enable nginx haproxy
systemctl restart nginx
systemctl restart haproxy
curl --fail --silent --show-error --retry 5 --retry-all-errors --resolve portal.example.org:443:127.0.0.1 -o /dev/null https://portal.example.org/healthz
