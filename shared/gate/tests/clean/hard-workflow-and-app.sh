#!/usr/bin/env bash
set -euo pipefail
log() { printf '%s\n' "$*" >&2; }
die() { log "$*"; exit 1; }
mkdir -p .github/workflows app
cat > .github/workflows/ci.yml <<'EOF'
name: ci
on:
  push:
    branches: [main]
jobs:
  plan:
    runs-on: ubuntu-24.04
    outputs:
      list: ${{ steps.find.outputs.list }}
    steps:
      - uses: actions/checkout@v4.2.2
      - id: find
        run: echo "list=[1]" >> "$GITHUB_OUTPUT"
  build:
    needs: [plan]
    strategy:
      matrix:
        node: ["20", "22"]
        os: [ubuntu-24.04]
        include:
          - node: "24"
            experimental: true
        part: ${{ fromJSON(needs.plan.outputs.list) }}
    runs-on: ${{ matrix.os }}
    continue-on-error: ${{ matrix.experimental == true }}
    steps:
      - uses: actions/setup-node@v4.1.0
        with:
          node-version: ${{ matrix.node }}
      - run: npm test -- --part ${{ matrix.part }}
  release:
    needs: build
    if: ${{ always() && needs.build.result == 'success' }}
    runs-on: ubuntu-24.04
    steps:
      - run: echo done
EOF
cat > app/config.toml <<'EOF'
title = "x"
ports = [
  8000,
  8001, # two
]
point = { x = 1, y = 2 }
site."example.com" = true
when = 1979-05-27T07:32:00Z
text = """
key = not a value
"""
[database]
enabled = true
[[servers]]
name = "a"
[[servers]]
name = "b"
[servers.limits]
cpu = 2
EOF
cat > app/server.js <<'EOF'
const http = require("http");
const strip = (s) => s.replace(/["'\/)]/g, "").replace(/\s+/g, " ");
const ratio = 4 / 2 / 1; // it's fine (
const page = (name) => `<p>${strip(name)} ${[1, 2].map((x) => `<b>${x}</b>`).join("")}</p>`;
/* ' ( */
http.createServer((req, res) => {
  if (/^\/health[z]?$/.test(req.url)) return res.end("ok");
  res.end(page(req.url.split("/")[1] ?? ""));
}).listen(3000);
EOF
cat > app/Dockerfile <<'EOF'
FROM node:22.12.0-bookworm-slim AS build
WORKDIR /srv
COPY server.js config.toml ./
RUN <<SCRIPT
node --check server.js
SCRIPT
FROM node:22.12.0-bookworm-slim
COPY --from=build /srv /srv
USER node
ENTRYPOINT ["node", \
  "/srv/server.js"]
CMD []
EOF
git clone --quiet --depth 1 --branch v3.1.0 https://github.com/pallets/flask.git src
[ -d src ] || die "no source"
log "built"
test -s app/config.toml
