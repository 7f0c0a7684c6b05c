#!/usr/bin/env bash
set -euo pipefail
: "${SITE_DOMAIN:?set SITE_DOMAIN}"
: "${ACME_EMAIL:?set ACME_EMAIL}"

mkdir -p /opt/site/secrets
cd /opt/site
umask 077
[ -s secrets/db_password ] || openssl rand -hex 24 > secrets/db_password

cat > .env <<EOF
SITE_DOMAIN=${SITE_DOMAIN}
ACME_EMAIL=${ACME_EMAIL}
EOF

cat > compose.yaml <<'EOF'
name: site

services:
  traefik:
    image: traefik:v3.2.3
    restart: unless-stopped
    command:
      - --providers.docker=true
      - --providers.docker.exposedbydefault=false
      - --entrypoints.web.address=:80
      - --entrypoints.web.http.redirections.entrypoint.to=websecure
      - --entrypoints.websecure.address=:443
      - --certificatesresolvers.le.acme.email=${ACME_EMAIL}
      - --certificatesresolvers.le.acme.storage=/acme/acme.json
      - --certificatesresolvers.le.acme.tlschallenge=true
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock:ro
      - acme:/acme
    networks:
      - edge

  app:
    image: gitea/gitea:1.22.6
    restart: unless-stopped
    environment:
      GITEA__database__DB_TYPE: postgres
      GITEA__database__HOST: db:5432
      GITEA__database__NAME: gitea
      GITEA__database__USER: gitea
      GITEA__database__PASSWD__FILE: /run/secrets/db_password
      GITEA__server__ROOT_URL: https://${SITE_DOMAIN}/
      GITEA__server__DISABLE_SSH: "true"
    secrets:
      - db_password
    volumes:
      - app_data:/data
    labels:
      traefik.enable: "true"
      traefik.docker.network: site_edge
      traefik.http.routers.app.rule: Host(`${SITE_DOMAIN}`)
      traefik.http.routers.app.entrypoints: websecure
      traefik.http.routers.app.tls.certresolver: le
      traefik.http.services.app.loadbalancer.server.port: "3000"
    depends_on:
      db:
        condition: service_healthy
    networks:
      - edge
      - backend

  db:
    image: postgres:17.2
    restart: unless-stopped
    environment:
      POSTGRES_DB: gitea
      POSTGRES_USER: gitea
      POSTGRES_PASSWORD_FILE: /run/secrets/db_password
    secrets:
      - db_password
    volumes:
      - db_data:/var/lib/postgresql/data
    healthcheck:
      test: ["CMD-SHELL", "pg_isready -U gitea -d gitea"]
      interval: 10s
      timeout: 5s
      retries: 10
    networks:
      - backend

networks:
  edge: {}
  backend:
    internal: true

volumes:
  acme: {}
  app_data: {}
  db_data: {}

secrets:
  db_password:
    file: ./secrets/db_password
EOF

docker compose config --quiet
docker compose up -d --wait --wait-timeout 180
docker compose exec -T db pg_isready -U gitea -d gitea
curl -fsS --retry 10 --retry-delay 6 --retry-all-errors -o /dev/null "https://${SITE_DOMAIN}/"
