#!/usr/bin/env bash
# Shop: web application, PostgreSQL, Redis and Caddy by Docker Compose.
set -euo pipefail

: "${DB_PASSWORD:?set DB_PASSWORD}"
: "${REDIS_PASSWORD:?set REDIS_PASSWORD}"
install -d -m 0750 /opt/shop
cd /opt/shop

umask 077
cat > .env <<EOF
DB_PASSWORD=$DB_PASSWORD
REDIS_PASSWORD=$REDIS_PASSWORD
EOF
umask 022

cat > Caddyfile <<'EOF'
{
	email ops@example.com
}

shop.example.com {
	encode zstd gzip
	header Strict-Transport-Security "max-age=31536000"
	reverse_proxy web:8000 {
		health_uri /healthz
		health_interval 15s
	}
}
EOF

cat > compose.yaml <<'EOF'
services:
  web:
    image: ghcr.io/example/shop:1.9.3
    restart: unless-stopped
    environment:
      DATABASE_URL: postgres://shop:${DB_PASSWORD}@db:5432/shop
      REDIS_URL: redis://:${REDIS_PASSWORD}@cache:6379/0
    depends_on:
      db:
        condition: service_healthy
      cache:
        condition: service_healthy
    healthcheck:
      test: ["CMD", "curl", "-fsS", "http://127.0.0.1:8000/healthz"]
      interval: 15s
      timeout: 5s
      retries: 5
      start_period: 20s
    networks: [front, back]

  db:
    image: postgres:16.6-bookworm
    restart: unless-stopped
    environment:
      POSTGRES_USER: shop
      POSTGRES_DB: shop
      POSTGRES_PASSWORD: ${DB_PASSWORD}
    volumes:
      - db-data:/var/lib/postgresql/data
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U shop -d shop"]
      interval: 10s
      timeout: 5s
      retries: 5
    networks: [back]

  cache:
    image: redis:7.4.1-bookworm
    restart: unless-stopped
    command: ["redis-server", "--requirepass", "${REDIS_PASSWORD}", "--maxmemory", "256mb", "--maxmemory-policy", "allkeys-lru"]
    environment:
      REDISCLI_AUTH: ${REDIS_PASSWORD}
    healthcheck:
      test: ["CMD-SHELL", "redis-cli ping | grep -q PONG"]
      interval: 10s
      timeout: 3s
      retries: 5
    networks: [back]

  proxy:
    image: caddy:2.8.4
    restart: unless-stopped
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - caddy-data:/data
    depends_on:
      web:
        condition: service_healthy
    networks: [front]

networks:
  front:
  back:
    internal: true

volumes:
  db-data:
  caddy-data:
EOF

docker compose config --quiet
docker compose pull --quiet
docker compose up --detach --wait --wait-timeout 180
docker compose exec -T db psql -U shop -d shop -tAc 'SELECT 1'
curl --fail --silent --show-error --retry 10 --retry-delay 3 --retry-all-errors -o /dev/null https://shop.example.com/healthz
