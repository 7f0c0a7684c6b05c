#!/usr/bin/env bash
# Puts nginx in front of the shop
set -euo pipefail
conf=$(mktemp)
trap 'rm -f "$conf"' EXIT
cat >"$conf" <<'EOF'
upstream shop {
    server 127.0.0.1:8080 max_fails=3 fail_timeout=10s;
    server 127.0.0.1:8081 backup;
    keepalive 16;
}

map $http_upgrade $connection_upgrade {
    default upgrade;
    ''      close;
}

server {
    listen 80 default_server;
    server_name _;
    return 301 https://$host$request_uri;
}

server {
    listen 443 ssl;
    server_name shop.example.org;
    ssl_certificate     /etc/ssl/shop/fullchain.pem;
    ssl_certificate_key /etc/ssl/shop/privkey.pem;
    add_header Strict-Transport-Security "max-age=63072000" always;
    client_max_body_size 20m;

    location / {
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
        proxy_pass http://shop;
    }

    location ~* \.(?:css|js|woff2)$ {
        root /srv/shop/current/public;
        expires 30d;
    }
}
EOF
scp "$conf" server:/tmp/shop.conf
ssh server 'sudo install -m 0644 /tmp/shop.conf /etc/nginx/conf.d/shop.conf && rm /tmp/shop.conf'
ssh server 'sudo nginx -t && sudo systemctl reload nginx'
test "$(ssh server 'curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1/')" = 301
