#!/usr/bin/env bash
set -euo pipefail

DOMAIN=shop.example.com
ADMIN_IP=203.0.113.27
staging="$(mktemp -d)"
trap 'rm -rf "$staging"' EXIT

cat > "$staging/shop.conf" <<'EOF'
upstream shop {
    server 127.0.0.1:8080;
    keepalive 16;
}

limit_req_zone $binary_remote_addr zone=login:10m rate=5r/m;

server {
    listen 80;
    listen [::]:80;
    server_name shop.example.com;

    location /.well-known/acme-challenge/ {
        root /var/www/html;
    }

    location / {
        return 301 https://shop.example.com$request_uri;
    }
}

server {
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name shop.example.com;

    ssl_certificate     /etc/letsencrypt/live/shop.example.com/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/shop.example.com/privkey.pem;
    ssl_protocols       TLSv1.2 TLSv1.3;
    ssl_session_cache   shared:SSL:10m;

    client_max_body_size 20m;
    add_header X-Content-Type-Options nosniff always;

    location /login {
        limit_req zone=login burst=5 nodelay;
        proxy_pass http://shop;
        include /etc/nginx/snippets/shop-proxy.conf;
    }

    location / {
        proxy_pass http://shop;
        include /etc/nginx/snippets/shop-proxy.conf;
    }
}
EOF

cat > "$staging/shop-proxy.conf" <<'EOF'
proxy_http_version 1.1;
proxy_set_header Connection "";
proxy_set_header Host $host;
proxy_set_header X-Real-IP $remote_addr;
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
proxy_set_header X-Forwarded-Proto $scheme;
EOF

cat > "$staging/install.sh" <<'EOF'
#!/bin/bash
set -euo pipefail
domain="$1"
admin_ip="$2"

export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -yq nginx certbot ufw

ufw allow proto tcp from "$admin_ip" to any port 22
ufw allow 80/tcp
ufw allow 443/tcp
ufw default deny incoming
ufw --force enable

if [ ! -d "/etc/letsencrypt/live/$domain" ]; then
    certbot certonly --webroot -w /var/www/html -d "$domain" \
        --non-interactive --agree-tos -m "ops@$domain" \
        --deploy-hook "systemctl reload nginx"
fi

install -m 0644 shop-proxy.conf /etc/nginx/snippets/shop-proxy.conf
install -m 0644 shop.conf /etc/nginx/sites-available/shop.conf
ln -sfn /etc/nginx/sites-available/shop.conf /etc/nginx/sites-enabled/shop.conf
nginx -t
systemctl enable --now nginx
systemctl reload nginx
EOF

bash -n "$staging/install.sh"
remote="$(ssh server mktemp -d)"
scp -q "$staging"/* "server:${remote}/"
# shellcheck disable=SC2029
ssh server "cd '${remote}' && sudo bash install.sh '${DOMAIN}' '${ADMIN_IP}'"

ssh server systemctl is-active nginx
location="$(curl -sS -o /dev/null -w '%{redirect_url}' "http://${DOMAIN}/")"
[[ "$location" == "https://${DOMAIN}/" ]]
curl -fsS -o /dev/null -w 'HTTPS %{http_code}\n' "https://${DOMAIN}/"
