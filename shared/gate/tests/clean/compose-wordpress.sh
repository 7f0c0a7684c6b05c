#!/usr/bin/env bash
# Writes WordPress with MariaDB behind Caddy
set -euo pipefail
site=~/workspace/wordpress
mkdir -p "$site"
cat >"$site/docker-compose.yml" <<'EOF'
services:
  caddy:
    image: caddy:2.10.2
    restart: always
    ports:
      - 80:80
      - 443:443
      - 443:443/udp
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - caddy:/data
    networks: [web]

  wordpress:
    image: wordpress:6.8.3-php8.4-fpm
    restart: always
    env_file: wordpress.env
    expose: ["9000"]
    volumes:
      - html:/var/www/html
    networks:
      web:
      data:
    depends_on:
      db:
        condition: service_healthy
        restart: true

  db:
    image: mariadb:11.8.3
    restart: always
    environment:
      MARIADB_DATABASE: wordpress
      MARIADB_USER: wordpress
      MARIADB_PASSWORD_FILE: /run/secrets/db
      MARIADB_RANDOM_ROOT_PASSWORD: "1"
    secrets: [db]
    volumes: ["db:/var/lib/mysql"]
    networks: [data]
    healthcheck:
      test: [CMD, healthcheck.sh, --connect, --innodb_initialized]
      interval: 10s
      timeout: 5s
      retries: 12
      start_period: 30s

networks:
  web:
  data:
    internal: true

volumes:
  caddy:
  html:
  db:

secrets:
  db:
    environment: DATABASE_PASSWORD
EOF
cat >"$site/Caddyfile" <<'EOF'
blog.example.org {
	root * /var/www/html
	php_fastcgi wordpress:9000
	file_server
}
EOF
: "${DATABASE_PASSWORD:?is needed}"
install -m 600 /dev/null "$site/wordpress.env"
printf 'WORDPRESS_DB_HOST=db\nWORDPRESS_DB_USER=wordpress\nWORDPRESS_DB_PASSWORD=%s\n' "$DATABASE_PASSWORD" >"$site/wordpress.env"
docker compose -f "$site/docker-compose.yml" config -q
