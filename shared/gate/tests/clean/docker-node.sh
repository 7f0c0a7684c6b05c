#!/usr/bin/env bash
# Builds the web front end and pushes it to the registry
set -euo pipefail
app=~/workspace/front
registry=registry.example.org/shop
version=3.7.0
mkdir -p "$app"
cat >"$app/Dockerfile" <<'EOF'
FROM node:22.19.0-alpine3.22 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM nginxinc/nginx-unprivileged:1.28.0-alpine
COPY --from=build --chown=nginx:nginx /app/dist /usr/share/nginx/html
COPY default.conf /etc/nginx/conf.d/default.conf
HEALTHCHECK --interval=30s --timeout=3s CMD wget -qO- http://127.0.0.1:8080/ || exit 1
EOF
cat >"$app/default.conf" <<'EOF'
server {
    listen 8080;
    root /usr/share/nginx/html;

    location / {
        try_files $uri /index.html;
    }
}
EOF
docker build --tag "$registry/front:$version" "$app"
printf '%s' "$REGISTRY_TOKEN" | docker login registry.example.org --username ci --password-stdin
docker push "$registry/front:$version"
docker manifest inspect "$registry/front:$version" >/dev/null
