#!/usr/bin/env bash
# Traefik in front of two copies of the shop's storefront, with Let's Encrypt.
set -euo pipefail

: "${SHOP_DOMAIN:?set SHOP_DOMAIN}"
: "${ACME_EMAIL:?set ACME_EMAIL}"

work="${WORK_DIR:-$PWD/compose-traefik}"
mkdir -p "$work/traefik/dynamic" "$work/html"
cd "$work"

install -d -m 0700 acme
if [[ ! -e acme/acme.json ]]; then
  install -m 0600 /dev/null acme/acme.json
fi

cat > traefik/traefik.yml <<EOF
entryPoints:
  web:
    address: ":80"
    http:
      redirections:
        entryPoint:
          to: websecure
          scheme: https
  websecure:
    address: ":443"
providers:
  file:
    directory: /etc/traefik/dynamic
    watch: true
certificatesResolvers:
  le:
    acme:
      email: "$ACME_EMAIL"
      storage: /acme/acme.json
      httpChallenge:
        entryPoint: web
api:
  dashboard: false
EOF

cat > traefik/dynamic/shop.yml <<EOF
http:
  routers:
    shop:
      rule: "Host(\`$SHOP_DOMAIN\`)"
      entryPoints: [websecure]
      service: storefront
      middlewares: [headers]
      tls:
        certResolver: le
  middlewares:
    headers:
      headers:
        stsSeconds: 31536000
  services:
    storefront:
      loadBalancer:
        healthCheck:
          path: /
          interval: 10s
        servers:
          - url: "http://store-a:8080"
          - url: "http://store-b:8080"
EOF

cat > html/index.html <<'EOF'
<!doctype html><title>Shop</title><p>shop storefront</p>
EOF

cat > compose.yaml <<'EOF'
x-store: &store
  image: nginxinc/nginx-unprivileged:1.27.2-alpine
  restart: unless-stopped
  read_only: true
  tmpfs: [/tmp]
  volumes:
    - ./html:/usr/share/nginx/html:ro
  networks: [inner]

services:
  traefik:
    image: traefik:v3.2.1
    restart: unless-stopped
    security_opt: ["no-new-privileges:true"]
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./traefik:/etc/traefik:ro
      - ./acme:/acme
    networks: [edge, inner]
  store-a:
    <<: *store
  store-b:
    <<: *store

networks:
  edge: {}
  inner:
    internal: true
EOF

docker compose config --quiet
docker compose up --detach --wait
# The static configuration is read at the start only.
docker compose restart traefik
page="$(curl -fsS --retry 12 --retry-delay 5 --retry-all-errors "https://$SHOP_DOMAIN/")"
grep -q 'shop storefront' <<< "$page"
