#!/usr/bin/env bash
# Wildcard certificate by DNS at Cloudflare; the hook hands it to nginx and checks it before the reload.
set -euo pipefail

: "${SHOP_DOMAIN:?}" "${ACME_EMAIL:?}" "${CLOUDFLARE_API_TOKEN:?a token for DNS edit of this zone only}"

# By standard input, so that the token is in no argument list.
printf 'dns_cloudflare_api_token = %s\n' "$CLOUDFLARE_API_TOKEN" |
  ssh server 'sudo install -d -m 0700 /etc/letsencrypt/secrets && sudo sh -c "umask 077; cat > /etc/letsencrypt/secrets/cloudflare.ini"'

remote_args=$(printf '%q ' "$SHOP_DOMAIN" "$ACME_EMAIL")
# shellcheck disable=SC2029 # quoted above
ssh server "sudo bash -euo pipefail -s -- $remote_args" <<'EOF'
domain=$1 email=$2
export DEBIAN_FRONTEND=noninteractive
if ! dpkg-query -W -f='${Status}' python3-certbot-dns-cloudflare 2> /dev/null | grep -q 'ok installed'; then
  apt-get update -q < /dev/null
  apt-get install -yq --no-install-recommends certbot python3-certbot-dns-cloudflare nginx < /dev/null
fi

install -d -m 0755 /etc/letsencrypt/renewal-hooks/deploy
cat > /etc/letsencrypt/renewal-hooks/deploy/10-nginx <<'HOOK'
#!/bin/sh
# certbot sets RENEWED_LINEAGE
set -eu
openssl x509 -in "$RENEWED_LINEAGE/fullchain.pem" -noout -checkend 86400
nginx -t
systemctl reload nginx
HOOK
chmod 0755 /etc/letsencrypt/renewal-hooks/deploy/10-nginx

certbot certonly --non-interactive --agree-tos --email "$email" \
  --dns-cloudflare --dns-cloudflare-credentials /etc/letsencrypt/secrets/cloudflare.ini \
  --dns-cloudflare-propagation-seconds 30 \
  --cert-name "$domain" -d "$domain" -d "*.$domain" --key-type ecdsa --keep-until-expiring < /dev/null

cat > /etc/nginx/snippets/shop-tls.conf <<CONF
ssl_certificate /etc/letsencrypt/live/$domain/fullchain.pem;
ssl_certificate_key /etc/letsencrypt/live/$domain/privkey.pem;
ssl_protocols TLSv1.2 TLSv1.3;
ssl_prefer_server_ciphers off;
ssl_session_cache shared:shop_tls:10m;
ssl_session_timeout 1d;
ssl_session_tickets off;
CONF

cat > /etc/nginx/conf.d/shop-redirect.conf <<CONF
server {
    listen 80;
    listen [::]:80;
    server_name $domain *.$domain;
    return 301 https://\$host\$request_uri;
}
server {
    listen 443 ssl;
    listen [::]:443 ssl;
    server_name www.$domain;
    include snippets/shop-tls.conf;
    return 301 https://$domain\$request_uri;
}
CONF
nginx -t
systemctl enable --now nginx
systemctl reload nginx
systemctl enable --now certbot.timer
certbot renew --dry-run --cert-name "$domain" --no-random-sleep-on-renew < /dev/null
EOF
