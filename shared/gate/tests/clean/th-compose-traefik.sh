#!/usr/bin/env bash
set -euo pipefail
cd ~/workspace/edge
cat >compose.yaml <<'EOF'
services:
  traefik:
    image: traefik:v3.4.0
    restart: unless-stopped
    command:
      - --providers.file.directory=/etc/traefik/dynamic
      - --entrypoints.web.address=:80
      - --entrypoints.web.http.redirections.entrypoint.to=websecure
      - --entrypoints.websecure.address=:443
      - --certificatesresolvers.le.acme.email=admin@example.com
      - --certificatesresolvers.le.acme.storage=/acme/acme.json
      - --certificatesresolvers.le.acme.tlschallenge=true
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./dynamic:/etc/traefik/dynamic:ro
      - acme:/acme
  shop:
    image: ghcr.io/example/shop:2.3.1
    restart: unless-stopped
    expose:
      - "8080"
volumes:
  acme:
EOF
mkdir -p dynamic
cat >dynamic/shop.yml <<'EOF'
http:
  routers:
    shop:
      rule: Host(`shop.example.com`)
      entryPoints: [websecure]
      service: shop
      tls:
        certResolver: le
  services:
    shop:
      loadBalancer:
        servers:
          - url: http://shop:8080
EOF
docker compose up --detach --wait
