#!/usr/bin/env bash
set -euo pipefail
cd ~/workspace/auth
cat >compose.yaml <<'EOF'
services:
  keycloak:
    image: quay.io/keycloak/keycloak:26.2.4
    command: start
    restart: always
    environment:
      KC_HOSTNAME: auth.example.com
      KC_HTTP_ENABLED: "true"
      KC_PROXY_HEADERS: xforwarded
      KC_HEALTH_ENABLED: "true"
      KC_DB: postgres
      KC_DB_URL: jdbc:postgresql://db/keycloak
      KC_DB_USERNAME: keycloak
      KC_DB_PASSWORD: ${DATABASE_PASSWORD:?}
    ports:
      - "127.0.0.1:8080:8080"
    depends_on:
      db:
        condition: service_healthy
    deploy:
      resources:
        limits:
          memory: 1G
          cpus: "1.5"
    logging:
      driver: json-file
      options:
        max-size: 10m
        max-file: "3"
  db:
    image: postgres:17.4-alpine
    restart: always
    environment:
      POSTGRES_DB: keycloak
      POSTGRES_USER: keycloak
      POSTGRES_PASSWORD: ${DATABASE_PASSWORD:?}
    volumes:
      - type: volume
        source: data
        target: /var/lib/postgresql/data
    healthcheck:
      test: ["CMD", "pg_isready", "-U", "keycloak"]
      interval: 5s
      timeout: 3s
      retries: 20
volumes:
  data: {}
EOF
docker compose config --quiet && docker compose pull --quiet
docker compose up --detach --wait --wait-timeout 180
