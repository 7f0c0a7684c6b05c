#!/usr/bin/env bash
# Application virtual host with TLS, a websocket location and rate limits.
set -euo pipefail

: "${CERT_EMAIL:?}"
domain=app.example.org

install -d -m 0755 /var/www/acme
apt-get update -q
apt-get install -y -q nginx certbot

cat > /etc/nginx/conf.d/00-maps.conf <<'EOF'
map $http_upgrade $connection_upgrade {
    default upgrade;
    ''      close;
}
limit_req_zone $binary_remote_addr zone=login:10m rate=5r/m;
EOF

cat > /etc/nginx/conf.d/10-http.conf <<EOF
server {
    listen 80;
    listen [::]:80;
    server_name $domain;
    location /.well-known/acme-challenge/ {
        root /var/www/acme;
    }
    location / {
        return 301 https://\$host\$request_uri;
    }
}
EOF
nginx -t
systemctl reload nginx

certbot certonly --webroot -w /var/www/acme -d "$domain" \
  --email "$CERT_EMAIL" --agree-tos --non-interactive --keep-until-expiring \
  --deploy-hook 'systemctl reload nginx'

cat > /etc/nginx/conf.d/20-app.conf <<'EOF'
upstream app {
    server 127.0.0.1:8080 max_fails=3 fail_timeout=10s;
    keepalive 16;
}
server {
    listen 443 ssl;
    listen [::]:443 ssl;
    server_name app.example.org;

    ssl_certificate     /etc/letsencrypt/live/app.example.org/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/app.example.org/privkey.pem;
    ssl_protocols       TLSv1.2 TLSv1.3;
    client_max_body_size 20m;

    proxy_http_version 1.1;
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;

    location = /login {
        limit_req zone=login burst=5 nodelay;
        proxy_pass http://app;
    }
    location / {
        proxy_pass http://app;
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
        proxy_read_timeout 120s;
    }
}
EOF
nginx -t && systemctl reload nginx
