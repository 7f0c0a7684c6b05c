#!/usr/bin/env bash
set -euo pipefail

cd "${APP_DIR:-$PWD}"
tag="${1:-2.4.1}"

cat > compose.yaml <<EOF
name: shop
services:
  app:
    image: ghcr.io/acme/shop:${tag}
    env_file:
      - app.env
    ports:
      - "127.0.0.1:3000:3000"
    volumes:
      - uploads:/app/uploads
    restart: unless-stopped
volumes:
  uploads:
EOF

cat > app.env <<'EOF'
LOG_LEVEL=info
PORT=3000
TZ=Europe/Berlin
EOF

docker compose pull --quiet
docker compose down --remove-orphans
docker compose up -d --wait

docker volume inspect shop_uploads >/dev/null
curl -fsS --retry 10 --retry-delay 3 --retry-all-errors http://127.0.0.1:3000/healthz
