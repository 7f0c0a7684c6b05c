#!/usr/bin/env bash
set -euo pipefail

mkdir -p dynamic
cat > dynamic/tls.yml <<'EOF'
tls:
  options:
    default:
      minVersion: VersionTLS12
EOF

cat > compose.yaml <<'EOF'
services:
  traefik:
    image: traefik:v3.3.3@sha256:19884a9d0b922b321c9cff54cbfe43f3169893041b8dd4ea6100677afaddce46
    command:
      - --providers.docker=true
      - --providers.docker.exposedbydefault=false
      - --providers.file.directory=/etc/traefik/dynamic
      - --entrypoints.web.address=:80
      - --entrypoints.websecure.address=:443
      - --ping=true
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock:ro
      - ./dynamic:/etc/traefik/dynamic:ro
    healthcheck:
      test: ["CMD", "traefik", "healthcheck", "--ping"]
      interval: 10s
    restart: unless-stopped

  whoami:
    image: traefik/whoami:v1.10.3
    labels:
      traefik.enable: "true"
      traefik.http.routers.whoami.rule: "Host(`whoami.localhost`)"
      traefik.http.routers.whoami.entrypoints: web
    restart: unless-stopped
EOF

docker compose up -d --wait
curl -fsS -H 'Host: whoami.localhost' --retry 5 --retry-all-errors http://127.0.0.1/ | grep -q Hostname
