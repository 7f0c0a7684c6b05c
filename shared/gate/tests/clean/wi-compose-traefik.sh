#!/usr/bin/env bash
set -euo pipefail

mkdir -p edge/dynamic && cd edge
cat > traefik.yml <<'EOF'
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
ping: {}
EOF
cat > dynamic/app.yml <<'EOF'
http:
  routers:
    app:
      rule: Host(`app.example.com`) && PathPrefix(`/`)
      entryPoints: [websecure]
      service: app
      middlewares: [headers]
      tls: {}
  middlewares:
    headers:
      headers:
        stsSeconds: 31536000
        frameDeny: true
  services:
    app:
      loadBalancer:
        servers:
          - url: http://app:8080
EOF
cat > compose.yaml <<'EOF'
services:
  traefik:
    image: traefik:v3.2.3
    ports: ["80:80", "443:443"]
    volumes:
      - ./traefik.yml:/etc/traefik/traefik.yml:ro
      - ./dynamic:/etc/traefik/dynamic:ro
    healthcheck:
      test: [CMD, traefik, healthcheck]
  app:
    image: traefik/whoami:v1.10.3
    command: ["--port", "8080"]
EOF
docker compose up -d --wait
docker compose exec -T traefik traefik healthcheck
