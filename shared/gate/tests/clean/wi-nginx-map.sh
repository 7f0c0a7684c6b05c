#!/usr/bin/env bash
set -euo pipefail

ssh server 'bash -euo pipefail -s' <<'REMOTE'
cat > /etc/nginx/conf.d/app.conf <<'EOF'
map $http_upgrade $connection_upgrade {
    default upgrade;
    ''      close;
}
map $uri $cache_for {
    ~\.(?<ext>css|js|svg)$ 7d;
    default                off;
}
limit_req_zone $binary_remote_addr zone=login:10m rate=5r/s;
upstream app {
    server 127.0.0.1:8080 max_fails=3;
    keepalive 16;
}
server {
    listen 80;
    server_name ~^(?<tenant>[a-z0-9-]+)\.example\.com$;
    expires $cache_for;
    location /login {
        limit_req zone=login burst=10 nodelay;
        proxy_pass http://app;
    }
    location / {
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
        proxy_set_header X-Tenant $tenant;
        proxy_set_header Host $host;
        proxy_pass http://app;
    }
    location ~* ^/img/(.+)\.(png|jpe?g)$ {
        alias /srv/img/$1.$2;
    }
}
EOF
nginx -t
systemctl reload nginx
REMOTE
ssh server 'systemctl is-active nginx'
