#!/usr/bin/env bash
# Run Traefik as the edge proxy on app1 with Let's Encrypt certificates; opens 80 and 443 to everyone, the dashboard stays off.
set -euo pipefail
: "${ACME_EMAIL:?set ACME_EMAIL, the address of the certificate account}"

mkdir -p edge/dynamic
cat > edge/compose.yaml <<'EOF'
name: edge
services:
  socket-proxy:
    image: tecnativa/docker-socket-proxy:0.3.0
    restart: unless-stopped
    environment:
      CONTAINERS: "1"
      NETWORKS: "1"
      POST: "0"
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock:ro
    networks: [docker-api]

  traefik:
    image: traefik:v3.2.3
    restart: unless-stopped
    depends_on: [socket-proxy]
    command:
      - --global.checknewversion=false
      - --global.sendanonymoususage=false
      - --ping=true
      - --accesslog=true
      - --providers.docker.endpoint=tcp://socket-proxy:2375
      - --providers.docker.exposedbydefault=false
      - --providers.docker.network=edge_public
      - --providers.file.directory=/etc/traefik/dynamic
      - --entrypoints.web.address=:80
      - --entrypoints.web.http.redirections.entrypoint.to=websecure
      - --entrypoints.web.http.redirections.entrypoint.scheme=https
      - --entrypoints.websecure.address=:443
      - --entrypoints.websecure.http.tls.certresolver=le
      - --certificatesresolvers.le.acme.email=${ACME_EMAIL:?}
      - --certificatesresolvers.le.acme.storage=/acme/acme.json
      - --certificatesresolvers.le.acme.tlschallenge=true
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - acme:/acme
      - ./dynamic:/etc/traefik/dynamic:ro
    networks: [docker-api, public]
    healthcheck:
      test: ["CMD", "traefik", "healthcheck", "--ping"]
      interval: 10s
      timeout: 3s
      retries: 6

networks:
  docker-api: { internal: true }
  public: {}

volumes:
  acme: {}
EOF

cat > edge/dynamic/tls.yml <<'EOF'
tls:
  options:
    default:
      minVersion: VersionTLS12
      sniStrict: true
http:
  middlewares:
    hsts:
      headers:
        stsSeconds: 31536000
        contentTypeNosniff: true
EOF

printf 'ACME_EMAIL=%s\n' "$ACME_EMAIL" > edge/.env

ssh app1 'mkdir -p ~/edge'
rsync -a edge/dynamic/ app1:edge/dynamic/
rsync -a edge/compose.yaml edge/.env app1:edge/

ssh app1 'bash -euo pipefail -s' <<'REMOTE'
cd ~/edge
docker compose config -q
docker compose up -d --wait --wait-timeout 90 </dev/null
code=$(curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1/)
case "$code" in
  301|308) echo "redirect to HTTPS works ($code)" ;;
  *) echo "unexpected answer on port 80: $code" >&2; docker compose logs --tail 50 traefik >&2; exit 1 ;;
esac
REMOTE
