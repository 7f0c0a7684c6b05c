#!/usr/bin/env bash
set -euo pipefail

umask 077
mkdir -p secrets
for name in db_password session_key; do
  [ -s "secrets/${name}" ] || openssl rand -hex 32 > "secrets/${name}"
done

cat > compose.yaml <<'EOF'
services:
  web:
    image: nginx:1.28.0
    ports:
      - "127.0.0.1:8080:80"
    depends_on:
      db:
        condition: service_healthy
      cache:
        condition: service_started
    networks:
      - front
      - back

  db:
    image: postgres:17.2
    environment:
      POSTGRES_DB: shop
      POSTGRES_USER: shop
      POSTGRES_PASSWORD_FILE: /run/secrets/db_password
    secrets:
      - db_password
    volumes:
      - db-data:/var/lib/postgresql/data
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U shop"]
      interval: 5s
      timeout: 3s
      retries: 10
    networks:
      - back

  cache:
    image: redis:7.4.2
    command: ["redis-server", "--save", "60", "1"]
    volumes:
      - cache-data:/data
    networks:
      - back

volumes:
  db-data:
  cache-data:

networks:
  front:
  back:
    internal: true

secrets:
  db_password:
    file: ./secrets/db_password
EOF

docker compose config --quiet
docker compose up -d --wait
curl -fsS http://127.0.0.1:8080/ >/dev/null
