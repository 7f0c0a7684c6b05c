#!/usr/bin/env bash
set -euo pipefail

mkdir -p svc && cd svc
cat > package.json <<'EOF'
{
  "name": "svc",
  "version": "1.0.0",
  "private": true,
  "scripts": { "start": "node server.js" }
}
EOF
cat > server.js <<'EOF'
const http = require('http');
const SLUG = /^\/(?<kind>[a-z]+)\/(\d{1,4})(?:\?.*)?$/;
const port = Number(process.env.PORT ?? 8080);
http.createServer((req, res) => {
  const m = SLUG.exec(req.url);
  if (req.url === '/healthz') return res.end('ok\n');
  res.statusCode = m ? 200 : 404;
  res.end(m ? `${m.groups.kind} #${m[2]}\n` : 'not found\n');
}).listen(port, () => console.log(`listening on ${port}`));
EOF
cat > Dockerfile <<'EOF'
# syntax=docker/dockerfile:1.12
FROM node:22.12.0-alpine3.20 AS build
WORKDIR /src
COPY package.json server.js ./
RUN <<SH
set -e
node --check server.js
SH

FROM node:22.12.0-alpine3.20
WORKDIR /app
COPY --from=build --chown=node:node /src/ ./
USER node
ENV PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s \
  CMD wget -qO- http://127.0.0.1:8080/healthz || exit 1
CMD ["node", \
     "server.js"]
EOF
docker build -t svc:1.0.0 .
docker run -d --name svc -p 127.0.0.1:8080:8080 svc:1.0.0
curl -fsS --retry 10 --retry-all-errors --retry-delay 1 http://127.0.0.1:8080/items/42 | grep -qx 'items #42'
