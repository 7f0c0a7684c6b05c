#!/usr/bin/env bash
set -euo pipefail

: "${DB_PASSWORD:?export DB_PASSWORD before running}"
mkdir -p initdb
cat > initdb/01-schema.sql <<'EOF'
CREATE TABLE IF NOT EXISTS customers (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email      TEXT NOT NULL UNIQUE,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE INDEX IF NOT EXISTS customers_created_idx ON customers (created_at);
EOF

cat > compose.yaml <<'EOF'
x-logging: &logging
  driver: json-file
  options:
    max-size: 10m
    max-file: "3"

services:
  db:
    image: postgres:17.2
    environment:
      POSTGRES_PASSWORD: ${DB_PASSWORD:?}
      POSTGRES_DB: crm
    ports:
      - "127.0.0.1:${DB_PORT:-5432}:5432"
    volumes:
      - crm:/var/lib/postgresql/data
      - ./initdb:/docker-entrypoint-initdb.d:ro
    healthcheck:
      test: ["CMD", "pg_isready", "-U", "postgres"]
      interval: 5s
      retries: 12
    logging: *logging

  adminer:
    image: adminer:4.8.1
    ports:
      - "127.0.0.1:8081:8080"
    depends_on:
      db:
        condition: service_healthy
    logging: *logging

volumes:
  crm:
EOF

docker compose up -d --wait
docker compose exec -T db psql -U postgres -d crm -tAc 'SELECT count(*) FROM customers' | grep -Eq '^[0-9]+$'
