#!/usr/bin/env bash
set -euo pipefail

site=shop
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat > "$tmp/$site.conf" <<'EOF'
upstream shop_backend {
    server 127.0.0.1:3000;
    server 127.0.0.1:3001 backup;
}

server {
    listen 80;
    server_name shop.example.com;

    location / {
        proxy_pass http://shop_backend;
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }

    location = /healthz {
        access_log off;
        return 200 "ok\n";
    }
}
EOF

ssh server 'sudo apt-get update -q && sudo apt-get install -y -q nginx'
scp -q "$tmp/$site.conf" server:/tmp/shop.conf
ssh server 'bash -s' <<'REMOTE'
set -euo pipefail
sudo install -m 0644 /tmp/shop.conf /etc/nginx/conf.d/shop.conf
rm -f /tmp/shop.conf
sudo nginx -t
sudo systemctl reload nginx
REMOTE
ssh server 'curl -fsS -H "Host: shop.example.com" http://127.0.0.1/healthz'
