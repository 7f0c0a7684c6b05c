#!/usr/bin/env bash
set -euo pipefail

port="${PORT:-3000}"
cat > package.json <<'EOF'
{
  "name": "hello",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node server.js"
  },
  "dependencies": {
    "express": "4.21.2"
  }
}
EOF

cat > server.js <<'EOF'
import express from "express";

const app = express();
app.get("/healthz", (req, res) => res.json({ ok: true }));
app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
EOF

npm install --no-audit --no-fund
npm install --no-audit --no-fund --global pm2@5.4.3
PORT="$port" pm2 start server.js --name hello --update-env
pm2 save
for i in 1 2 3 4 5; do
  if curl -fsS "http://127.0.0.1:${port}/healthz" >/dev/null 2>&1; then
    break
  fi
  sleep "$i"
done
curl -fsS "http://127.0.0.1:${port}/healthz"
