#!/usr/bin/env bash
# Writes the stack of the shop and starts it
set -euo pipefail

stack=~/workspace/stack
mkdir -p "$stack"

cat >"$stack/compose.yaml" <<'EOF'
name: shop

services:
  proxy:
    image: nginx:1.28.0
    restart: unless-stopped
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./nginx.conf:/etc/nginx/nginx.conf:ro
    networks: [front]
    depends_on:
      - app

  app:
    image: ghcr.io/example/shop:4.2.1
    restart: unless-stopped
    environment:
      DATABASE_PASSWORD: ${DATABASE_PASSWORD:?}
    ports:
      - "127.0.0.1:8080:8080"
    networks: [front, back]
    depends_on:
      database:
        condition: service_healthy
    healthcheck:
      test: ["CMD", "curl", "--fail", "http://127.0.0.1:8080/health"]
      interval: 10s
      retries: 6

  database:
    image: postgres:17.4
    restart: unless-stopped
    environment:
      POSTGRES_PASSWORD_FILE: /run/secrets/database
    secrets: [database]
    ports:
      - "127.0.0.1:5432:5432"
    volumes:
      - data:/var/lib/postgresql/data
    networks: [back]
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U postgres"]
      interval: 5s

  cache:
    image: redis:8.0.1
    command: ["redis-server", "--appendonly", "yes"]
    volumes:
      - cache:/data
    networks: [back]

volumes:
  data:
  cache:

networks:
  front:
  back:

secrets:
  database:
    environment: DATABASE_PASSWORD
EOF

cat >"$stack/prometheus.yml" <<'EOF'
global:
  scrape_interval: 15s
scrape_configs:
  - job_name: app
    static_configs:
      - targets: ["app:8080"]
EOF

cat >"$stack/settings.json" <<'EOF'
{
  "name": "shop",
  "features": ["cart", "search"],
  "limits": {"orders": 100}
}
EOF

cat >"$stack/Dockerfile" <<'EOF'
FROM debian:13.1-slim
RUN apt-get update && apt-get install --yes --no-install-recommends curl
COPY settings.json /etc/shop/settings.json
EOF

cd "$stack"
docker compose config --quiet
docker compose up --detach --wait
count=$(docker compose ps --quiet | wc -l)
echo "$count containers run"
docker run --rm --network none alpine:3.22 true
