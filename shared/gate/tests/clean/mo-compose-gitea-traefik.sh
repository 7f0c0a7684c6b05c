#!/usr/bin/env bash
# Gitea with PostgreSQL behind Traefik.
set -euo pipefail

: "${GITEA_DB_PASSWORD:?}"
export GITEA_DB_PASSWORD

dir=/srv/gitea
mkdir -p "$dir"
cat > "$dir/compose.yaml" <<'EOF'
x-common: &common
  restart: unless-stopped
  logging:
    driver: json-file
    options:
      max-size: 10m
      max-file: "3"

services:
  traefik:
    <<: *common
    image: traefik:v3.2.3
    command:
      - --providers.docker=true
      - --providers.docker.exposedbydefault=false
      - --entrypoints.web.address=:80
      - --entrypoints.web.http.redirections.entrypoint.to=websecure
      - --entrypoints.websecure.address=:443
      - --certificatesresolvers.le.acme.email=ops@example.org
      - --certificatesresolvers.le.acme.storage=/acme/acme.json
      - --certificatesresolvers.le.acme.httpchallenge.entrypoint=web
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock:ro
      - acme:/acme

  gitea:
    <<: *common
    image: gitea/gitea:1.22.6
    depends_on:
      db:
        condition: service_healthy
    environment:
      GITEA__database__DB_TYPE: postgres
      GITEA__database__HOST: db:5432
      GITEA__database__NAME: gitea
      GITEA__database__USER: gitea
      GITEA__database__PASSWD: ${GITEA_DB_PASSWORD:?}
      GITEA__server__ROOT_URL: https://git.example.org/
      GITEA__service__DISABLE_REGISTRATION: "true"
    labels:
      traefik.enable: "true"
      traefik.http.routers.gitea.rule: Host(`git.example.org`)
      traefik.http.routers.gitea.entrypoints: websecure
      traefik.http.routers.gitea.tls.certresolver: le
      traefik.http.services.gitea.loadbalancer.server.port: "3000"
    volumes:
      - gitea:/data

  db:
    <<: *common
    image: postgres:16.6-alpine
    environment:
      POSTGRES_DB: gitea
      POSTGRES_USER: gitea
      POSTGRES_PASSWORD: ${GITEA_DB_PASSWORD:?}
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U $$POSTGRES_USER -d $$POSTGRES_DB"]
      interval: 10s
      retries: 10
    volumes:
      - db:/var/lib/postgresql/data

volumes:
  acme:
  gitea:
  db:
EOF

docker compose --project-directory "$dir" config -q
docker compose --project-directory "$dir" up -d
