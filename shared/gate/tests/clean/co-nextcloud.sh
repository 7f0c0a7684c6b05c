#!/usr/bin/env bash
set -euo pipefail
mkdir -p ~/workspace/nextcloud && cd ~/workspace/nextcloud
cat > compose.yaml <<'EOF'
services:
  db:
    image: mariadb:11.4.5
    restart: unless-stopped
    command: --transaction-isolation=READ-COMMITTED
    volumes:
      - db:/var/lib/mysql
    environment:
      MARIADB_RANDOM_ROOT_PASSWORD: "1"
      MARIADB_DATABASE: nextcloud
      MARIADB_USER: nextcloud
      MARIADB_PASSWORD: ${DATABASE_PASSWORD:?}
    healthcheck:
      test: ["CMD", "healthcheck.sh", "--connect", "--innodb_initialized"]
      interval: 10s
      timeout: 5s
      retries: 6
  app:
    image: nextcloud:31.0.4-apache
    restart: unless-stopped
    ports:
      - "127.0.0.1:8080:80"
    depends_on:
      db:
        condition: service_healthy
    volumes:
      - files:/var/www/html
    environment:
      MYSQL_HOST: db
      MYSQL_DATABASE: nextcloud
      MYSQL_USER: nextcloud
      MYSQL_PASSWORD: ${DATABASE_PASSWORD:?}
volumes:
  db:
  files:
EOF
docker compose config --quiet
docker compose up -d --wait
curl -fsS http://127.0.0.1:8080/status.php | grep -q '"installed"'
