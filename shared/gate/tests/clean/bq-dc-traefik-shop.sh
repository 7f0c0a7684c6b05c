#!/usr/bin/env bash
# The shop with Traefik in Compose: 80 and 443 are public, the socket of Docker only by a read-only proxy.
set -euo pipefail

: "${SHOP_DOMAIN:?}" "${ACME_EMAIL:?}" "${SHOP_VERSION:?for example 3.2.1}"
[[ $SHOP_VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]

mkdir -p ~/workspace/shop-traefik/secrets
cd ~/workspace/shop-traefik
chmod 0700 secrets

[[ -s secrets/db_password ]] || (umask 077; openssl rand -hex 24 | tr -d '\n' > secrets/db_password)

cat > .env <<EOF
SHOP_DOMAIN=$SHOP_DOMAIN
ACME_EMAIL=$ACME_EMAIL
SHOP_VERSION=$SHOP_VERSION
RUN_AS=$(id -u):$(id -g)
EOF

cat > compose.yaml <<'EOF'
name: shop

x-base: &base
  restart: unless-stopped
  security_opt: ["no-new-privileges:true"]
  logging:
    driver: json-file
    options:
      max-size: 10m
      max-file: "5"

services:
  socket-proxy:
    <<: *base
    image: tecnativa/docker-socket-proxy:0.3.0
    environment:
      CONTAINERS: 1
      POST: 0
    volumes: ["/var/run/docker.sock:/var/run/docker.sock:ro"]
    networks: [socket]

  traefik:
    <<: *base
    image: traefik:v3.2.3
    depends_on: [socket-proxy]
    command:
      - --providers.docker.endpoint=tcp://socket-proxy:2375
      - --providers.docker.exposedbydefault=false
      - --providers.docker.network=shop_web
      - --entrypoints.web.address=:80
      - --entrypoints.web.http.redirections.entrypoint.to=websecure
      - --entrypoints.web.http.redirections.entrypoint.scheme=https
      - --entrypoints.websecure.address=:443
      - --entrypoints.websecure.http.tls.certresolver=le
      - --certificatesresolvers.le.acme.email=${ACME_EMAIL:?}
      - --certificatesresolvers.le.acme.storage=/acme/acme.json
      - --certificatesresolvers.le.acme.tlschallenge=true
      - --accesslog=true
      - --ping=true
      - --ping.entrypoint=internal
      - --entrypoints.internal.address=127.0.0.1:8082
    healthcheck:
      test: ["CMD", "wget", "-q", "--spider", "http://127.0.0.1:8082/ping"]
      interval: 10s
      timeout: 3s
      retries: 5
    ports:
      - "80:80"
      - "443:443"
    volumes: ["acme:/acme"]
    networks: [web, socket]

  app:
    <<: *base
    image: registry.example.org/shop/app:${SHOP_VERSION:?}
    # The owner of the file with the secret.
    user: ${RUN_AS:?}
    environment:
      DB_HOST: db
      DB_NAME: shop
      DB_USER: shop
      DB_PASSWORD_FILE: /run/secrets/db_password
    secrets: [db_password]
    depends_on:
      db:
        condition: service_healthy
    networks: [web, data]
    labels:
      traefik.enable: "true"
      traefik.http.routers.shop.rule: Host(`${SHOP_DOMAIN:?}`)
      traefik.http.routers.shop.entrypoints: websecure
      traefik.http.routers.shop.middlewares: hsts
      traefik.http.middlewares.hsts.headers.stsseconds: "31536000"
      traefik.http.services.shop.loadbalancer.server.port: "3000"
      traefik.http.services.shop.loadbalancer.healthcheck.path: /healthz

  db:
    <<: *base
    image: postgres:17.2
    environment:
      POSTGRES_DB: shop
      POSTGRES_USER: shop
      POSTGRES_PASSWORD_FILE: /run/secrets/db_password
    secrets: [db_password]
    volumes: ["db:/var/lib/postgresql/data"]
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U $${POSTGRES_USER} -d $${POSTGRES_DB}"]
      interval: 5s
      timeout: 3s
      retries: 12
    networks: [data]

networks:
  web:
  data:
    internal: true
  socket:
    internal: true

volumes:
  acme:
  db:

secrets:
  db_password:
    file: ./secrets/db_password
EOF

docker compose config --quiet
docker compose pull --quiet
docker compose up --detach --wait --wait-timeout 180
curl -sS -o /dev/null --retry 10 --retry-delay 3 --retry-all-errors --fail "https://$SHOP_DOMAIN/healthz"
