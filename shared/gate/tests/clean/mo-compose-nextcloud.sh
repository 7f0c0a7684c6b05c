#!/usr/bin/env bash
# Nextcloud with MariaDB, Redis and Caddy.
set -euo pipefail

: "${NC_DB_PASSWORD:?}"
: "${NC_DB_ROOT_PASSWORD:?}"

stack=/srv/nextcloud
mkdir -p "$stack"
cd "$stack"

(
  umask 077
  cat > .env <<EOF
MYSQL_PASSWORD='$NC_DB_PASSWORD'
MYSQL_ROOT_PASSWORD='$NC_DB_ROOT_PASSWORD'
EOF
)

cat > compose.yaml <<'EOF'
services:
  db:
    image: mariadb:11.4.4
    restart: unless-stopped
    command: --transaction-isolation=READ-COMMITTED
    environment:
      MARIADB_DATABASE: nextcloud
      MARIADB_USER: nextcloud
      MARIADB_PASSWORD: ${MYSQL_PASSWORD:?}
      MARIADB_ROOT_PASSWORD: ${MYSQL_ROOT_PASSWORD:?}
    volumes:
      - db:/var/lib/mysql
    healthcheck:
      test: ["CMD", "healthcheck.sh", "--connect", "--innodb_initialized"]
      interval: 10s
      timeout: 5s
      retries: 12

  redis:
    image: redis:7.4.1-alpine
    restart: unless-stopped

  app:
    image: nextcloud:30.0.4-apache
    restart: unless-stopped
    depends_on:
      db:
        condition: service_healthy
      redis:
        condition: service_started
    environment:
      MYSQL_HOST: db
      MYSQL_DATABASE: nextcloud
      MYSQL_USER: nextcloud
      MYSQL_PASSWORD: ${MYSQL_PASSWORD:?}
      REDIS_HOST: redis
      NEXTCLOUD_TRUSTED_DOMAINS: cloud.example.org
      TRUSTED_PROXIES: 172.16.0.0/12
      OVERWRITEPROTOCOL: https
    volumes:
      - files:/var/www/html

  caddy:
    image: caddy:2.8.4-alpine
    restart: unless-stopped
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - caddy:/data

volumes:
  db:
  files:
  caddy:
EOF

cat > Caddyfile <<'EOF'
cloud.example.org {
	header Strict-Transport-Security "max-age=31536000"
	redir /.well-known/carddav /remote.php/dav 301
	redir /.well-known/caldav /remote.php/dav 301
	reverse_proxy app:80
}
EOF

docker compose config --quiet
docker compose up -d --wait
