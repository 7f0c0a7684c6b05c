#!/usr/bin/env bash
set -euo pipefail

: "${DATABASE_PASSWORD:?DATABASE_PASSWORD is not set}"
: "${REGISTRY_TOKEN:?REGISTRY_TOKEN is not set}"

mkdir -p shop
cd shop

cat > Caddyfile <<'EOF'
{
	email ops@example.com
}

shop.example.com {
	encode zstd gzip
	header Strict-Transport-Security "max-age=31536000"
	reverse_proxy web:8080
}
EOF

cat > compose.yaml <<'EOF'
name: shop

services:
  caddy:
    image: caddy:2.8.4-alpine
    restart: unless-stopped
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - caddy-data:/data
      - caddy-config:/config
    networks:
      - front
    depends_on:
      web:
        condition: service_healthy

  web:
    image: registry.example.com/shop/web:1.14.2
    restart: unless-stopped
    environment:
      DATABASE_HOST: db
      DATABASE_NAME: shop
      DATABASE_USER: shop
      DATABASE_PASSWORD_FILE: /run/secrets/db_password
      CACHE_URL: redis://cache:6379/0
    secrets:
      - db_password
    networks:
      - front
      - back
    healthcheck:
      test: ["CMD", "wget", "-qO-", "http://127.0.0.1:8080/healthz"]
      interval: 10s
      timeout: 3s
      retries: 10
    depends_on:
      db:
        condition: service_healthy
      cache:
        condition: service_started

  db:
    image: postgres:16.6-alpine
    restart: unless-stopped
    environment:
      POSTGRES_DB: shop
      POSTGRES_USER: shop
      POSTGRES_PASSWORD_FILE: /run/secrets/db_password
    secrets:
      - db_password
    volumes:
      - db-data:/var/lib/postgresql/data
    networks:
      - back
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U shop -d shop"]
      interval: 5s
      timeout: 3s
      retries: 12

  cache:
    image: redis:7.4.1-alpine
    restart: unless-stopped
    networks:
      - back

networks:
  front:
  back:
    internal: true

volumes:
  caddy-data:
  caddy-config:
  db-data:

secrets:
  db_password:
    environment: DATABASE_PASSWORD
EOF

docker login registry.example.com --username deploy --password-stdin <<<"$REGISTRY_TOKEN"
docker compose config --quiet
docker compose pull --quiet
docker compose up --detach --wait --wait-timeout 180
docker compose exec -T caddy caddy reload --config /etc/caddy/Caddyfile

docker compose exec -T db psql -U shop -d shop -Atc 'SELECT 1' | grep -x 1
curl -fsS --retry 10 --retry-delay 3 --retry-all-errors --resolve shop.example.com:443:127.0.0.1 https://shop.example.com/healthz
