#!/usr/bin/env bash
# Nginx on a Debian 12 server over SSH: HTTPS site in front of the shop on port 8080.
set -euo pipefail

: "${SHOP_HOST:?set SHOP_HOST, e.g. deploy@203.0.113.10}"
: "${SHOP_DOMAIN:?set SHOP_DOMAIN}"
: "${ACME_EMAIL:?set ACME_EMAIL}"

tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT
ssh_opts=(-o BatchMode=yes -o StrictHostKeyChecking=yes)

cat > "$tmp/acme.conf" <<EOF
server {
    listen 80;
    listen [::]:80;
    server_name $SHOP_DOMAIN;

    location /.well-known/acme-challenge/ {
        root /var/www/acme;
    }
    location / {
        return 301 https://\$host\$request_uri;
    }
}
EOF

cat > "$tmp/shop.conf" <<EOF
limit_req_zone \$binary_remote_addr zone=login:10m rate=5r/m;

upstream shop_backend {
    server 127.0.0.1:8080 max_fails=3 fail_timeout=10s;
}

server {
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name $SHOP_DOMAIN;
    server_tokens off;

    ssl_certificate     /etc/letsencrypt/live/$SHOP_DOMAIN/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/$SHOP_DOMAIN/privkey.pem;
    ssl_protocols       TLSv1.2 TLSv1.3;
    add_header Strict-Transport-Security "max-age=31536000" always;

    location /login {
        limit_req zone=login burst=5 nodelay;
        proxy_pass http://shop_backend;
        include /etc/nginx/proxy_params;
    }
    location / {
        proxy_pass http://shop_backend;
        include /etc/nginx/proxy_params;
    }
}
EOF

stage="$(ssh "${ssh_opts[@]}" "$SHOP_HOST" mktemp -d)"
scp -q "${ssh_opts[@]}" "$tmp/acme.conf" "$tmp/shop.conf" "$SHOP_HOST:$stage/"

ssh "${ssh_opts[@]}" "$SHOP_HOST" sudo bash -s -- "$stage" "$SHOP_DOMAIN" "$ACME_EMAIL" <<'EOF'
set -euo pipefail
stage="$1" domain="$2" email="$3"
trap 'rm -rf "$stage"' EXIT
export DEBIAN_FRONTEND=noninteractive

apt-get update -qq
apt-get install -y -qq nginx certbot
install -d -m 0755 /var/www/acme

install -m 0644 "$stage/acme.conf" /etc/nginx/conf.d/acme.conf
nginx -t
systemctl enable --now nginx
systemctl reload nginx

certbot certonly --webroot -w /var/www/acme -d "$domain" -m "$email" \
  --agree-tos --non-interactive --keep-until-expiring \
  --deploy-hook 'systemctl reload nginx'

# Keep the previous site, and put it back when the new one is not valid.
site=/etc/nginx/conf.d/shop.conf
if [[ -e "$site" ]]; then
  cp -p "$site" "$stage/previous.conf"
fi
install -m 0644 "$stage/shop.conf" "$site"
if ! nginx -t; then
  if [[ -e "$stage/previous.conf" ]]; then
    install -m 0644 "$stage/previous.conf" "$site"
  else
    rm -f "$site"
  fi
  exit 1
fi
systemctl reload nginx
systemctl is-active nginx
EOF

# Proof: HTTPS answers, and HTTP redirects to it.
curl -fsS --retry 5 --retry-delay 2 -o /dev/null "https://$SHOP_DOMAIN/"
code="$(curl -sS -o /dev/null -w '%{http_code}' "http://$SHOP_DOMAIN/")"
[[ "$code" == 301 ]] || { echo "expected a redirect, got $code" >&2; exit 1; }
