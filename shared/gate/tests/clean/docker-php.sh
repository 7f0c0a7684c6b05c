#!/usr/bin/env bash
# Builds the PHP application with an entry point of its own
set -euo pipefail
cd ~/workspace/php
cat > Dockerfile <<'EOF'
FROM composer:2.8.11 AS vendor
WORKDIR /app
COPY composer.json composer.lock ./
RUN composer install --no-dev --no-interaction --prefer-dist --optimize-autoloader

FROM php:8.4.12-fpm-bookworm
# The extensions that the application needs
RUN set -eux; \
    apt-get update; \
    apt-get install -y --no-install-recommends libpq-dev=15.* libzip-dev=1.7.*; \
    # pdo_pgsql for the orders, zip for the exports
    docker-php-ext-install pdo_pgsql zip; \
    rm -rf /var/lib/apt/lists/*
COPY --from=vendor /app/vendor /var/www/vendor
COPY . /var/www
COPY --chmod=0755 docker/entrypoint.sh /usr/local/bin/entrypoint
USER www-data
ENTRYPOINT ["entrypoint"]
CMD ["php-fpm", "--nodaemonize"]
EOF
mkdir -p docker
cat > docker/entrypoint.sh <<'EOF'
#!/bin/sh
set -eu
if [ "${1:-php-fpm}" = php-fpm ]; then
  until php -r 'exit(@fsockopen(getenv("DB_HOST") ?: "db", 5432) ? 0 : 1);'; do
    echo "waiting for the database" >&2
    sleep 1
  done
  php artisan migrate --force
fi
exec "$@"
EOF
cat > .dockerignore <<'EOF'
vendor
.git
EOF
docker build --file Dockerfile --tag shop/php:5.2.0 --label org.opencontainers.image.version=5.2.0 .
docker run --rm --entrypoint php shop/php:5.2.0 --version
docker run --rm --network none shop/php:5.2.0 php -m | grep -qx pdo_pgsql
