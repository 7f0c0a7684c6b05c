#!/usr/bin/env bash
# The shop as a Compose stack: Caddy (HTTPS), application, PostgreSQL, Redis.
set -euo pipefail

: "${SHOP_DOMAIN:?set SHOP_DOMAIN}"
: "${ACME_EMAIL:?set ACME_EMAIL}"
: "${REGISTRY_TOKEN:?set REGISTRY_TOKEN}"
: "${SHOP_VERSION:?set SHOP_VERSION, e.g. 2.4.1}"
export SHOP_DOMAIN ACME_EMAIL SHOP_VERSION
work="${WORK_DIR:-$PWD/compose-shop}"
install -d -m 0700 "$work" "$work/secrets"
cd "$work"

if [[ ! -s secrets/db_password ]]; then
  (umask 077 && openssl rand -hex 24 > secrets/db_password)
fi

cat > Caddyfile <<'EOF'
{
	email {$ACME_EMAIL}
	admin off
}

{$SHOP_DOMAIN} {
	header Strict-Transport-Security "max-age=31536000"
	reverse_proxy app:8080
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
    environment:
      SHOP_DOMAIN: ${SHOP_DOMAIN}
      ACME_EMAIL: ${ACME_EMAIL}
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - caddy_data:/data
    networks: [front]
    depends_on:
      app:
        condition: service_healthy

  app:
    image: ghcr.io/example/shop:${SHOP_VERSION}
    restart: unless-stopped
    environment:
      DATABASE_HOST: db
      DATABASE_PASSWORD_FILE: /run/secrets/db_password
      REDIS_URL: redis://cache:6379/0
    secrets: [db_password]
    networks: [front, back]
    healthcheck:
      test: ["CMD", "wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/health"]
      interval: 10s
      retries: 6
    depends_on:
      db:
        condition: service_healthy

  db:
    image: postgres:16.6-alpine
    restart: unless-stopped
    environment:
      POSTGRES_USER: shop
      POSTGRES_DB: shop
      POSTGRES_PASSWORD_FILE: /run/secrets/db_password
    secrets: [db_password]
    volumes:
      - db_data:/var/lib/postgresql/data
    networks: [back]
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U shop -d shop"]
      interval: 5s
      retries: 10

  cache:
    image: redis:7.4.1-alpine
    restart: unless-stopped
    command: ["redis-server", "--save", "", "--maxmemory", "128mb"]
    networks: [back]

networks:
  front:
  back:
    internal: true

volumes:
  caddy_data:
  db_data:

secrets:
  db_password:
    file: ./secrets/db_password
EOF

docker compose config --quiet
docker login ghcr.io --username example --password-stdin <<< "$REGISTRY_TOKEN"
docker compose pull --quiet
docker compose up --detach --wait --wait-timeout 180 --remove-orphans
# The container keeps the old Caddyfile until it is restarted.
docker compose restart caddy
curl -fsS --retry 10 --retry-delay 3 --retry-all-errors -o /dev/null "https://$SHOP_DOMAIN/health"
