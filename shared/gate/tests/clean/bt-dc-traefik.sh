#!/usr/bin/env bash
set -euo pipefail

: "${CLOUDFLARE_API_TOKEN:?}"

app_dir=/tmp/edge
mkdir -p "$app_dir/dynamic"

cat > "$app_dir/traefik.yml" <<'EOF'
global:
  checkNewVersion: false
  sendAnonymousUsage: false

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
    http:
      tls:
        certResolver: letsencrypt

providers:
  docker:
    exposedByDefault: false
    network: edge
  file:
    directory: /etc/traefik/dynamic

certificatesResolvers:
  letsencrypt:
    acme:
      email: ops@example.com
      storage: /acme/acme.json
      dnsChallenge:
        provider: cloudflare

ping: {}
EOF

cat > "$app_dir/dynamic/headers.yml" <<'EOF'
http:
  middlewares:
    secure-headers:
      headers:
        stsSeconds: 31536000
        contentTypeNosniff: true
        frameDeny: true
tls:
  options:
    default:
      minVersion: VersionTLS12
EOF

cat > "$app_dir/compose.yaml" <<'EOF'
services:
  traefik:
    image: traefik:v3.2.3
    restart: unless-stopped
    security_opt:
      - no-new-privileges:true
    ports:
      - "80:80"
      - "443:443"
    environment:
      CF_DNS_API_TOKEN_FILE: /run/secrets/cloudflare_token
    secrets:
      - cloudflare_token
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock:ro
      - ./traefik.yml:/etc/traefik/traefik.yml:ro
      - ./dynamic:/etc/traefik/dynamic:ro
      - acme:/acme
    networks: [edge]
    healthcheck:
      test: ["CMD", "traefik", "healthcheck"]
      interval: 10s
      retries: 5

  shop:
    image: nginxinc/nginx-unprivileged:1.27.3-alpine
    restart: unless-stopped
    read_only: true
    tmpfs:
      - /tmp
    networks: [edge]
    deploy:
      resources:
        limits:
          cpus: "0.50"
          memory: 128M
    labels:
      traefik.enable: "true"
      traefik.http.routers.shop.rule: Host(`shop.example.com`)
      traefik.http.routers.shop.entrypoints: websecure
      traefik.http.routers.shop.middlewares: secure-headers@file
      traefik.http.services.shop.loadbalancer.server.port: "8080"

networks:
  edge:
    name: edge

volumes:
  acme:

secrets:
  cloudflare_token:
    environment: CLOUDFLARE_API_TOKEN
EOF

cd "$app_dir"
docker compose config --quiet
docker compose up -d --wait --wait-timeout 120
# Traefik reads its static configuration only when it starts.
docker compose restart traefik

docker compose ps
status="$(curl -s -o /dev/null -w '%{http_code}' --retry 5 --retry-connrefused -H 'Host: shop.example.com' http://127.0.0.1/)"
test "$status" = 301 || test "$status" = 308
curl -fsS --retry 12 --retry-delay 10 --retry-all-errors --resolve shop.example.com:443:127.0.0.1 -o /dev/null https://shop.example.com/
