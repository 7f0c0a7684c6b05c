#!/usr/bin/env bash
# WooCommerce stack: nginx with an existing certificate, PHP-FPM, MariaDB.
set -euo pipefail

: "${SHOP_DOMAIN:?set SHOP_DOMAIN}"
: "${TLS_DIR:?set TLS_DIR to the folder with fullchain.pem and privkey.pem}"
for f in fullchain.pem privkey.pem; do
  [[ -r "$TLS_DIR/$f" ]] || { echo "missing $TLS_DIR/$f" >&2; exit 1; }
done
export TLS_DIR

work="${WORK_DIR:-$PWD/compose-woo}"
install -d -m 0755 "$work"
cd "$work"

if [[ ! -e db.env ]]; then
  (umask 077 && printf 'MARIADB_PASSWORD=%s\n' "$(openssl rand -hex 24)" > db.env)
fi
if [[ ! -e wp.env ]]; then
  (umask 077 && sed 's/^MARIADB_PASSWORD=/WORDPRESS_DB_PASSWORD=/' db.env > wp.env)
fi

cat > nginx.conf <<EOF
server {
    listen 80;
    server_name $SHOP_DOMAIN;
    return 301 https://\$host\$request_uri;
}

server {
    listen 443 ssl;
    server_name $SHOP_DOMAIN;
    root /var/www/html;
    index index.php;
    client_max_body_size 32m;

    ssl_certificate /tls/fullchain.pem;
    ssl_certificate_key /tls/privkey.pem;

    location / {
        try_files \$uri \$uri/ /index.php?\$args;
    }

    location ~ \.php$ {
        include fastcgi_params;
        fastcgi_pass wordpress:9000;
        fastcgi_param SCRIPT_FILENAME \$document_root\$fastcgi_script_name;
        fastcgi_param HTTPS on;
    }

    location ~ /\.ht { deny all; }
}
EOF

cat > compose.yaml <<'EOF'
services:
  nginx:
    image: nginx:1.27.2-alpine
    restart: unless-stopped
    ports: ["80:80", "443:443"]
    volumes:
      - ./nginx.conf:/etc/nginx/conf.d/default.conf:ro
      - ${TLS_DIR}:/tls:ro
      - wordpress:/var/www/html:ro
    networks: [front]
    depends_on: [wordpress]
  wordpress:
    image: wordpress:6.7.1-php8.3-fpm-alpine
    restart: unless-stopped
    environment:
      WORDPRESS_DB_HOST: db
      WORDPRESS_DB_USER: woo
      WORDPRESS_DB_NAME: woo
    env_file: [wp.env]
    volumes:
      - wordpress:/var/www/html
    networks: [front, back]
    depends_on:
      db:
        condition: service_healthy
  db:
    image: mariadb:11.4.4
    restart: unless-stopped
    environment:
      MARIADB_DATABASE: woo
      MARIADB_USER: woo
      MARIADB_RANDOM_ROOT_PASSWORD: "yes"
    env_file: [db.env]
    volumes:
      - db:/var/lib/mysql
    networks: [back]
    healthcheck:
      test: ["CMD", "healthcheck.sh", "--connect", "--innodb_initialized"]
      interval: 10s
      start_period: 60s

networks:
  front: {}
  back: {internal: true}

volumes:
  wordpress: {}
  db: {}
EOF

docker compose config --quiet
docker compose up --detach --wait --wait-timeout 300
docker compose restart nginx
docker compose exec -T nginx nginx -t
curl -fsSL --retry 10 --retry-delay 3 --retry-all-errors -o /dev/null "https://$SHOP_DOMAIN/"
