#!/usr/bin/env bash
set -euo pipefail

mkdir -p webshop/.github/workflows webshop/src
cd webshop

cat > package.json <<'EOF'
{
  "name": "webshop",
  "version": "1.0.0",
  "private": true,
  "scripts": {
    "start": "node src/index.js",
    "test": "node --test"
  },
  "engines": {
    "node": ">=22"
  }
}
EOF

cat > src/index.js <<'EOF'
const http = require('node:http');

http
  .createServer((req, res) => {
    res.writeHead(200, { 'content-type': 'text/plain' });
    res.end('web shop\n');
  })
  .listen(8080);
EOF

cat > Dockerfile <<'EOF'
FROM node:22.12.0-bookworm-slim

ENV NODE_ENV=production
WORKDIR /app

COPY package.json ./
COPY src ./src

USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --retries=5 \
  CMD node -e "fetch('http://127.0.0.1:8080').then(r => process.exit(r.ok ? 0 : 1)).catch(() => process.exit(1))"
CMD ["node", "src/index.js"]
EOF

cat > compose.yaml <<'EOF'
services:
  web:
    build: .
    image: ghcr.io/example/webshop:1.0.0
    init: true
    ports:
      - "127.0.0.1:8080:8080"
    restart: unless-stopped
    cap_drop:
      - ALL
    logging:
      driver: json-file
      options:
        max-size: 10m
        max-file: "3"
EOF

cat > .github/workflows/release.yml <<'EOF'
name: release

on:
  push:
    tags:
      - "v*"

permissions:
  contents: read
  packages: write

jobs:
  test:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4.2.2
      - uses: actions/setup-node@v4.1.0
        with:
          node-version: "22"
      - run: npm test

  image:
    needs: test
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4.2.2
      - uses: docker/setup-buildx-action@v3.8.0
      - name: Log in to the registry
        uses: docker/login-action@v3.3.0
        with:
          registry: ghcr.io
          username: ${{ github.actor }}
          password: ${{ secrets.GITHUB_TOKEN }}
      - id: meta
        uses: docker/metadata-action@v5.6.1
        with:
          images: ghcr.io/${{ github.repository }}
          tags: type=semver,pattern={{version}}
      - name: Build and push
        uses: docker/build-push-action@v6.10.0
        with:
          context: .
          push: true
          tags: ${{ steps.meta.outputs.tags }}
          cache-from: type=gha
          cache-to: type=gha,mode=max
EOF

docker compose config --quiet
docker compose build --pull
docker compose up --detach --wait

for attempt in 1 2 3 4 5; do
  if [ "$(curl -fsS http://127.0.0.1:8080/)" = "web shop" ]; then
    echo "answered at attempt ${attempt}"
    exit 0
  fi
  sleep 2
done
docker compose logs --tail 20 web
exit 1
