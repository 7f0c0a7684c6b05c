#!/usr/bin/env bash
# Limits how often one address may call the sign-in page
set -euo pipefail
conf=/etc/nginx/conf.d
sudo tee "$conf/limits.conf" >/dev/null <<'EOF'
limit_req_zone $binary_remote_addr zone=signin:10m rate=5r/m;
log_format timed '$remote_addr $request $status $request_time';
EOF
sudo tee "$conf/shop.conf" >/dev/null <<'EOF'
server {
    listen 80;
    listen [::]:80;
    server_name shop.example.com;
    root /var/www/shop;
    index index.html;
    access_log /var/log/nginx/shop.log timed;

    location /signin {
        limit_req zone=signin burst=5 nodelay;
        limit_req_status 429;
        proxy_pass http://127.0.0.1:3000;
    }

    location ~* \.(css|js|png)$ {
        expires 30d;
        add_header Cache-Control "public, immutable";
    }

    location / {
        try_files $uri $uri/ /index.html;
    }

    location ~ /\. {
        deny all;
    }
}
EOF
sudo nginx -t
sudo systemctl reload nginx
