#!/usr/bin/env bash
# Deploy the shop stack (API, PostgreSQL, Redis) with Docker Compose on app1; only 127.0.0.1:8080 of the host is bound, the proxy is another step.
set -euo pipefail

mkdir -p shop
cat > shop/compose.yaml <<'EOF'
name: shop

x-defaults: &defaults
  restart: unless-stopped
  security_opt: ["no-new-privileges:true"]
  logging:
    driver: json-file
    options: { max-size: "10m", max-file: "5" }

services:
  db:
    <<: *defaults
    image: postgres:16.6-alpine3.20
    environment:
      POSTGRES_DB: shop
      POSTGRES_USER: shop
      POSTGRES_PASSWORD_FILE: /run/secrets/db_password
    secrets: [db_password]
    volumes: ["db-data:/var/lib/postgresql/data"]
    networks: [back]
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U shop -d shop"]
      interval: 5s
      timeout: 3s
      retries: 20

  cache:
    <<: *defaults
    image: redis:7.4.1-alpine
    user: "999:1000"
    command: ["sh", "-c", 'exec redis-server --appendonly yes --requirepass "$$(cat /run/secrets/redis_password)"']
    secrets: [redis_password]
    volumes: ["cache-data:/data"]
    networks: [back]
    healthcheck:
      test: ["CMD-SHELL", 'REDISCLI_AUTH="$$(cat /run/secrets/redis_password)" redis-cli ping | grep -q PONG']
      interval: 5s
      timeout: 3s
      retries: 20

  api:
    <<: *defaults
    image: registry.example.com/shop/api:1.14.2
    environment:
      LISTEN: 0.0.0.0:8080
      DB_HOST: db
      DB_NAME: shop
      DB_USER: shop
      DB_PASSWORD_FILE: /run/secrets/db_password
      REDIS_ADDR: cache:6379
      REDIS_PASSWORD_FILE: /run/secrets/redis_password
    secrets: [db_password, redis_password]
    ports: ["127.0.0.1:8080:8080"]
    networks: [front, back]
    depends_on:
      db: { condition: service_healthy }
      cache: { condition: service_healthy }
    healthcheck:
      test: ["CMD", "wget", "-qO-", "http://127.0.0.1:8080/healthz"]
      interval: 10s
      timeout: 3s
      retries: 12

networks:
  front: {}
  back: { internal: true }

volumes:
  db-data: {}
  cache-data: {}

secrets:
  db_password: { file: ./secrets/db_password }
  redis_password: { file: ./secrets/redis_password }
EOF

ssh app1 'mkdir -p ~/shop'
rsync -a shop/compose.yaml app1:shop/

# The secrets are made on the server, once, and never leave it. The folder is
# closed (0700); the files are readable because the containers run as other users.
ssh app1 'bash -euo pipefail -s' <<'REMOTE'
cd ~/shop
install -d -m 0700 secrets
for s in db_password redis_password; do
  if [ ! -s "secrets/$s" ]; then
    openssl rand -hex 32 | tr -d '\n' > "secrets/$s.new"
    chmod 0444 "secrets/$s.new"
    mv "secrets/$s.new" "secrets/$s"
  fi
done
docker compose config -q
docker compose pull -q </dev/null
docker compose up -d --wait --wait-timeout 180 </dev/null
docker compose ps
curl -fsS --retry 5 --retry-connrefused http://127.0.0.1:8080/healthz
REMOTE
