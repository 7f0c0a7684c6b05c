#!/usr/bin/env bash
# nginx of the shop: TLS, a cache for the catalogue, limits for the login, JSON access log with rotation.
set -euo pipefail

conf=$(mktemp -d)
trap 'rm -rf "$conf"' EXIT

cat > "$conf/00-shop-http.conf" <<'EOF'
log_format shop_json escape=json
  '{"time":"$time_iso8601","remote":"$remote_addr","host":"$host","request":"$request",'
  '"status":$status,"bytes":$body_bytes_sent,"seconds":$request_time,"cache":"$upstream_cache_status"}';

proxy_cache_path /var/cache/nginx/shop levels=1:2 keys_zone=shop:10m max_size=1g inactive=60m use_temp_path=off;

limit_req_zone $binary_remote_addr zone=login:10m rate=5r/m;
limit_req_status 429;

map $http_cookie $has_session {
    default 0;
    "~*session=" 1;
}

upstream shop_app {
    server 127.0.0.1:8000 max_fails=3 fail_timeout=10s;
    keepalive 16;
}
EOF

cat > "$conf/shop.conf" <<'EOF'
server {
    listen 80;
    listen [::]:80;
    server_name shop.example.org;
    return 301 https://$host$request_uri;
}

server {
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name shop.example.org;
    server_tokens off;
    access_log /var/log/nginx/shop.json shop_json;

    ssl_certificate /etc/letsencrypt/live/shop.example.org/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/shop.example.org/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;

    add_header Strict-Transport-Security "max-age=31536000" always;
    add_header X-Content-Type-Options nosniff always;
    add_header X-Cache $upstream_cache_status always;

    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;

    location / {
        proxy_pass http://shop_app;
    }

    location = /login {
        limit_req zone=login burst=5 nodelay;
        proxy_pass http://shop_app;
    }

    location /catalogue/ {
        proxy_cache shop;
        proxy_cache_key $scheme$host$request_uri;
        proxy_cache_valid 200 5m;
        proxy_cache_bypass $has_session;
        proxy_no_cache $has_session;
        proxy_cache_lock on;
        proxy_cache_use_stale error timeout updating http_502 http_503;
        proxy_pass http://shop_app;
    }
}
EOF

cat > "$conf/shop-logrotate" <<'EOF'
/var/log/nginx/shop.json {
    daily
    rotate 30
    missingok
    notifempty
    compress
    delaycompress
    create 0640 www-data adm
    sharedscripts
    postrotate
        invoke-rc.d nginx rotate > /dev/null 2>&1 || true
    endscript
}
EOF
# The package's own rule covers *.log in that directory, so that this file is named .json.

sudo install -d -o www-data -g root -m 0700 /var/cache/nginx
backup=/etc/nginx/sites-available/shop.conf.$(date +%Y%m%d%H%M%S)
[[ ! -f /etc/nginx/sites-available/shop.conf ]] || sudo cp -a /etc/nginx/sites-available/shop.conf "$backup"

sudo install -m 0644 "$conf/00-shop-http.conf" /etc/nginx/conf.d/00-shop-http.conf
sudo install -m 0644 "$conf/shop.conf" /etc/nginx/sites-available/shop.conf
sudo ln -sfn ../sites-available/shop.conf /etc/nginx/sites-enabled/shop.conf
sudo install -m 0644 "$conf/shop-logrotate" /etc/logrotate.d/shop-nginx

sudo nginx -t
sudo systemctl reload nginx
sudo logrotate --debug /etc/logrotate.d/shop-nginx

ask() { curl -sS -o /dev/null "$@" --resolve shop.example.org:80:127.0.0.1 --resolve shop.example.org:443:127.0.0.1; }
[[ $(ask -w '%{http_code}' http://shop.example.org/) == 301 ]]
ask -f https://shop.example.org/
sudo tail -n 1 /var/log/nginx/shop.json | jq -e '.host == "shop.example.org"'
