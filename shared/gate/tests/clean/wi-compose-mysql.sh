#!/usr/bin/env bash
set -euo pipefail

mkdir -p wp && cd wp
(umask 077; mkdir -p secrets; for s in root app; do [[ -s secrets/$s ]] || openssl rand -hex 20 | tr -d '\n' > "secrets/$s"; done)
cat > compose.yaml <<'EOF'
services:
  db:
    image: mysql:8.4.3
    environment:
      MYSQL_DATABASE: wp
      MYSQL_USER: wp
      MYSQL_PASSWORD_FILE: /run/secrets/app
      MYSQL_ROOT_PASSWORD_FILE: /run/secrets/root
    secrets: [app, root]
    volumes: ["db:/var/lib/mysql"]
    healthcheck:
      test: ["CMD", "mysqladmin", "ping", "-h", "127.0.0.1"]
      start_period: 20s
  wp:
    image: wordpress:6.7.1-php8.3-apache
    depends_on: { db: { condition: service_healthy } }
    environment:
      WORDPRESS_DB_HOST: db
      WORDPRESS_DB_USER: wp
      WORDPRESS_DB_NAME: wp
      WORDPRESS_DB_PASSWORD_FILE: /run/secrets/app
    secrets:
      - app
    ports:
      - target: 80
        published: "80"
    volumes: ["files:/var/www/html"]
secrets:
  app: { file: ./secrets/app }
  root: { file: ./secrets/root }
volumes:
  db: {}
  files: {}
EOF
docker compose up -d --wait --wait-timeout 180
curl -fsSL --retry 10 --retry-all-errors --retry-delay 2 -o /dev/null http://127.0.0.1/
