#!/usr/bin/env bash
set -euo pipefail

mkdir -p stack && cd stack
umask 077
[[ -s .env ]] || cat > .env <<EOF
POSTGRES_PASSWORD=$(openssl rand -hex 24)
TAG=1.4.2
EOF
cat > compose.yaml <<'EOF'
services:
  web:
    image: ghcr.io/acme/web:${TAG:?set TAG}
    environment:
      DB_HOST: db
      LOG_LEVEL: ${LOG_LEVEL:-info}
    env_file: .env
    depends_on:
      db:
        condition: service_healthy
    ports:
      - "127.0.0.1:8080:8080"
    networks: [front, back]
  db:
    image: postgres:16.4-alpine
    environment:
      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD}
    volumes:
      - pgdata:/var/lib/postgresql/data
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U $${POSTGRES_USER:-postgres}"]
      interval: 5s
      retries: 10
    networks: [back]
volumes:
  pgdata:
networks:
  front:
  back:
    internal: true
EOF
docker compose config --quiet
docker compose up -d --wait
docker compose exec -T db pg_isready -U postgres
