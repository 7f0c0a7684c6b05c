#!/usr/bin/env bash
# Runs Gitea with its database on the server
set -euo pipefail
: "${DATABASE_PASSWORD:?}"
ssh server 'sudo install -d -m 0750 -o deploy -g deploy /srv/gitea'
ssh server 'cat > /srv/gitea/compose.yaml' <<'YAML'
services:
  gitea:
    image: gitea/gitea:1.24.6-rootless
    restart: unless-stopped
    env_file: .env
    environment:
      GITEA__database__DB_TYPE: postgres
      GITEA__database__HOST: database:5432
      GITEA__server__DOMAIN: ${GITEA_DOMAIN:-git.example.org}
    ports:
      - "127.0.0.1:3000:3000"
    volumes:
      - data:/var/lib/gitea
      - ./app.ini:/etc/gitea/app.ini:ro
    depends_on:
      database:
        condition: service_healthy
    healthcheck:
      test: ["CMD-SHELL", "wget --quiet --tries=1 --spider http://127.0.0.1:3000/api/healthz || exit 1"]
      interval: 20s
      timeout: 5s
      retries: 5
  database:
    image: postgres:17.6-alpine
    restart: unless-stopped
    command: ["postgres", "-c", "shared_buffers=256MB"]
    environment:
      POSTGRES_USER: gitea
      POSTGRES_PASSWORD_FILE: /run/secrets/database
    secrets:
      - database
    volumes:
      - type: volume
        source: database
        target: /var/lib/postgresql/data
    healthcheck:
      test: ["CMD-SHELL", "pg_isready --username gitea"]
      interval: 10s
secrets:
  database:
    file: ./database.secret
volumes:
  data:
  database:
YAML
ssh server 'sudo -u deploy tee /srv/gitea/app.ini >/dev/null' <<'INI'
[server]
SSH_DOMAIN = git.example.org
LFS_START_SERVER = true

[service]
DISABLE_REGISTRATION = true
INI
printf '%s' "$DATABASE_PASSWORD" | ssh server 'umask 077; cat > /srv/gitea/database.secret'
printf 'GITEA__database__PASSWD=%s\n' "$DATABASE_PASSWORD" | ssh server 'umask 077; cat > /srv/gitea/.env'
ssh server 'cd /srv/gitea && docker compose config --quiet && docker compose up -d --wait --remove-orphans'
ssh server 'curl --fail --silent http://127.0.0.1:3000/api/healthz' | jq --exit-status '.status == "pass"'
