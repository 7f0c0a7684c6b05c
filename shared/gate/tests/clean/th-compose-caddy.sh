#!/usr/bin/env bash
set -euo pipefail
: "${SITE_DOMAIN:?set SITE_DOMAIN}"

install -d -m 0750 /opt/blog
cd /opt/blog

if [ ! -s db.env ]; then
  (
    umask 077
    {
      echo "MARIADB_ROOT_PASSWORD=$(openssl rand -hex 20)"
      echo "MARIADB_PASSWORD=$(openssl rand -hex 20)"
      echo "MARIADB_DATABASE=wordpress"
      echo "MARIADB_USER=wordpress"
    } > db.env
  )
fi
db_pass="$(sed -n 's/^MARIADB_PASSWORD=//p' db.env)"
( umask 077
  cat > wp.env <<EOF
WORDPRESS_DB_HOST=mariadb:3306
WORDPRESS_DB_USER=wordpress
WORDPRESS_DB_NAME=wordpress
WORDPRESS_DB_PASSWORD=${db_pass}
EOF
)

cat > Caddyfile <<EOF
${SITE_DOMAIN} {
	encode zstd gzip
	root * /var/www/html
	php_fastcgi wordpress:9000
	file_server
	header Strict-Transport-Security "max-age=31536000"
}
EOF

cat > docker-compose.yml <<'EOF'
x-logging: &logging
  driver: json-file
  options:
    max-size: "10m"
    max-file: "3"

services:
  caddy:
    image: caddy:2.8.4-alpine
    restart: always
    logging: *logging
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - wp:/var/www/html:ro
      - caddy:/data
    depends_on:
      wordpress:
        condition: service_started

  wordpress:
    image: wordpress:6.7.1-php8.3-fpm
    restart: always
    logging: *logging
    env_file: wp.env
    volumes:
      - wp:/var/www/html
    depends_on:
      mariadb:
        condition: service_healthy

  mariadb:
    image: mariadb:11.4.4
    restart: always
    logging: *logging
    env_file: db.env
    command: ["--character-set-server=utf8mb4", "--max-connections=100"]
    volumes:
      - mariadb:/var/lib/mysql
    healthcheck:
      test: ["CMD", "healthcheck.sh", "--connect", "--innodb_initialized"]
      interval: 10s
      timeout: 5s
      retries: 12
      start_period: 30s
    mem_limit: 512m

volumes:
  wp:
  caddy:
  mariadb:
EOF

docker compose config -q
docker compose up -d --wait
docker compose ps --status running --services | sort | tr '\n' ' ' | grep -qx 'caddy mariadb wordpress '
curl -sS -o /dev/null -w '%{http_code}\n' --retry 10 --retry-delay 6 --retry-all-errors "https://${SITE_DOMAIN}/" | grep -Eq '^(200|302)$'
