#!/usr/bin/env bash
set -euo pipefail
: "${SITE_DOMAIN:?set SITE_DOMAIN}"
: "${ACME_EMAIL:?set ACME_EMAIL}"
: "${ADMIN_CIDR:?set ADMIN_CIDR}"
export DEBIAN_FRONTEND=noninteractive

log() { printf '[%s] %s\n' "$(date -u +%H:%M:%S)" "$*"; }

log "packages"
apt-get update
apt-get install -y --no-install-recommends nginx certbot python3-certbot-nginx ufw curl

log "firewall"
ufw default deny incoming
ufw default allow outgoing
ufw allow from "$ADMIN_CIDR" to any port 22 proto tcp
ufw allow 80/tcp
ufw allow 443/tcp
ufw --force enable

log "site"
install -d -o www-data -g www-data -m 0755 "/var/www/${SITE_DOMAIN}"
printf '<!doctype html>\n<title>%s</title>\n<h1>ready</h1>\n' "$SITE_DOMAIN" > "/var/www/${SITE_DOMAIN}/index.html"

cat > /etc/nginx/conf.d/00-maps.conf <<'EOF'
map $http_upgrade $connection_upgrade {
    default upgrade;
    ''      close;
}

limit_req_zone $binary_remote_addr zone=perip:10m rate=20r/s;
EOF

cat > "/etc/nginx/sites-available/${SITE_DOMAIN}" <<EOF
upstream backend {
    server 127.0.0.1:8080;
}

server {
    listen 80;
    listen [::]:80;
    server_name ${SITE_DOMAIN};
    root /var/www/${SITE_DOMAIN};
    index index.html;
    server_tokens off;

    location / {
        limit_req zone=perip burst=40 nodelay;
        try_files \$uri \$uri/ =404;
    }

    location /api/ {
        proxy_pass http://backend;
        proxy_http_version 1.1;
        proxy_set_header Upgrade \$http_upgrade;
        proxy_set_header Connection \$connection_upgrade;
        proxy_read_timeout 60s;
    }
}
EOF
ln -sfn "/etc/nginx/sites-available/${SITE_DOMAIN}" "/etc/nginx/sites-enabled/${SITE_DOMAIN}"
rm -f /etc/nginx/sites-enabled/default

nginx -t
systemctl enable --now nginx
systemctl reload nginx

log "certificate"
certbot --nginx --non-interactive --agree-tos --redirect -m "$ACME_EMAIL" -d "$SITE_DOMAIN"
systemctl enable --now certbot.timer

log "proof"
curl -fsS "https://${SITE_DOMAIN}/" | grep -q '<h1>ready</h1>'
ufw status | grep -E '^22/tcp' | grep -qF "${ADMIN_CIDR%/32}"
certbot renew --dry-run
