#!/usr/bin/env bash
# The shop with Compose: nginx in front, WordPress with its database behind, on private networks.
set -euo pipefail

host=server
target=/srv/shop
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

mkdir -p "$stage/secrets" "$stage/nginx"
chmod 0700 "$stage/secrets"

for secret in db_root_password db_password; do
  openssl rand -hex 24 | tr -d '\n' > "$stage/secrets/$secret"
done

cat > "$stage/compose.yaml" <<'EOF'
name: shop

services:
  web:
    image: nginx:1.28.0-alpine
    restart: unless-stopped
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./nginx/shop.conf:/etc/nginx/conf.d/default.conf:ro
      - /etc/letsencrypt:/etc/letsencrypt:ro
    networks: [front]
    depends_on:
      app:
        condition: service_started

  app:
    image: wordpress:6.8.1-php8.3-apache
    restart: unless-stopped
    environment:
      WORDPRESS_DB_HOST: db
      WORDPRESS_DB_NAME: shop
      WORDPRESS_DB_USER: shop
      WORDPRESS_DB_PASSWORD_FILE: /run/secrets/db_password
    secrets: [db_password]
    volumes:
      - content:/var/www/html
    networks: [front, back]
    depends_on:
      db:
        condition: service_healthy

  db:
    image: mariadb:11.4.7
    restart: unless-stopped
    environment:
      MARIADB_DATABASE: shop
      MARIADB_USER: shop
      MARIADB_PASSWORD_FILE: /run/secrets/db_password
      MARIADB_ROOT_PASSWORD_FILE: /run/secrets/db_root_password
    secrets: [db_password, db_root_password]
    volumes:
      - data:/var/lib/mysql
    networks: [back]
    healthcheck:
      test: ["CMD", "healthcheck.sh", "--connect", "--innodb_initialized"]
      interval: 10s
      timeout: 5s
      retries: 12
      start_period: 30s

networks:
  front:
  back:
    internal: true

volumes:
  content:
  data:

secrets:
  db_password:
    file: ./secrets/db_password
  db_root_password:
    file: ./secrets/db_root_password
EOF

cat > "$stage/nginx/shop.conf" <<'EOF'
server {
    listen 80;
    server_name shop.example.org;
    return 301 https://$host$request_uri;
}

server {
    listen 443 ssl;
    http2 on;
    server_name shop.example.org;
    ssl_certificate     /etc/letsencrypt/live/shop.example.org/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/shop.example.org/privkey.pem;
    client_max_body_size 32m;

    location / {
        proxy_pass http://app:80;
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
    }
}
EOF

# shellcheck disable=SC2029 # expanded here on purpose
ssh "$host" "sudo install -d -o \"\$(id -un)\" -m 0750 $target"
# Passwords that are there already stay: the database was made with them.
rsync -a --ignore-existing "$stage/secrets/" "$host:$target/secrets/"
rsync -a --exclude secrets "$stage/" "$host:$target/"
# shellcheck disable=SC2029 # expanded here on purpose
ssh "$host" "cd $target && sudo docker compose config --quiet && sudo docker compose up -d --wait --wait-timeout 180"
curl -fsSL --retry 10 --retry-all-errors --retry-delay 3 -o /dev/null https://shop.example.org/
