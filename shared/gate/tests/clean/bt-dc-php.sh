#!/usr/bin/env bash
set -euo pipefail

project="$HOME/php-shop"
mkdir -p "$project"/{nginx,public,secrets}
cd "$project"

# The directory is closed; the containers read the file through the mount.
chmod 700 secrets
printf '%s' "${DATABASE_PASSWORD:?}" > secrets/db_password

cat > Dockerfile <<'EOF'
FROM php:8.3.14-fpm-alpine

RUN docker-php-ext-install pdo_mysql opcache

COPY --chown=www-data:www-data public/ /var/www/html/

USER www-data
EXPOSE 9000
CMD ["php-fpm"]
EOF

cat > .dockerignore <<'EOF'
secrets
.git
EOF

cat > public/index.php <<'EOF'
<?php
header('Content-Type: text/plain');
$password = trim(file_get_contents('/run/secrets/db_password'));
$pdo = new PDO('mysql:host=db;dbname=shop', 'shop', $password);
echo 'database ', $pdo->query('SELECT VERSION()')->fetchColumn(), "\n";
EOF

cat > nginx/default.conf <<'EOF'
server {
    listen 80;
    server_name _;
    return 301 https://$host$request_uri;
}

server {
    listen 443 ssl;
    http2 on;
    server_name shop.example.net;
    root /var/www/html;
    index index.php;

    ssl_certificate /etc/nginx/tls/fullchain.pem;
    ssl_certificate_key /etc/nginx/tls/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;

    location / {
        try_files $uri /index.php?$query_string;
    }

    location ~ \.php$ {
        fastcgi_pass php:9000;
        fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
        include fastcgi_params;
    }
}
EOF

cat > docker-compose.yml <<'EOF'
services:
  nginx:
    image: nginx:1.27.3-alpine
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./nginx/default.conf:/etc/nginx/conf.d/default.conf:ro
      - ./public:/var/www/html:ro
      - /etc/ssl/shop:/etc/nginx/tls:ro
    depends_on:
      - php
    restart: unless-stopped

  php:
    build:
      context: .
    image: php-shop:1.0.0
    secrets:
      - db_password
    depends_on:
      db:
        condition: service_healthy
    restart: unless-stopped

  db:
    image: mariadb:11.4.4
    environment:
      MARIADB_DATABASE: shop
      MARIADB_USER: shop
      MARIADB_PASSWORD_FILE: /run/secrets/db_password
      MARIADB_RANDOM_ROOT_PASSWORD: "1"
    secrets:
      - db_password
    volumes:
      - mysql:/var/lib/mysql
    healthcheck:
      test: ["CMD", "healthcheck.sh", "--connect", "--innodb_initialized"]
      interval: 5s
      retries: 20
    restart: unless-stopped

volumes:
  mysql: {}

secrets:
  db_password:
    file: ./secrets/db_password
EOF

docker compose config -q
docker compose build
docker compose up -d --wait
docker compose exec -T nginx nginx -t
docker compose exec -T nginx nginx -s reload
curl -fsS --resolve shop.example.net:443:127.0.0.1 https://shop.example.net/ | grep '^database '
