#!/usr/bin/env bash
# Image of the shop: two stages, no root, base image by the digest that the registry gives for the pinned tag.
set -euo pipefail

cd ~/workspace/shop
base=node:20.18.1-bookworm-slim

# The digest is resolved once and kept in the repository; a change of it is a commit.
if [[ ! -s base.digest ]]; then
  docker buildx imagetools inspect "$base" --format '{{json .Manifest.Digest}}' | tr -d '"' > base.digest
fi
digest=$(cat base.digest)
[[ $digest =~ ^sha256:[0-9a-f]{64}$ ]]

cat > .dockerignore <<'EOF'
.git
.env*
node_modules
dist
*.log
secrets
EOF

cat > Dockerfile <<EOF
# syntax=docker/dockerfile:1.12.1
FROM $base@$digest AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM $base@$digest
ENV NODE_ENV=production
WORKDIR /app
RUN groupadd --system --gid 10001 shop && useradd --system --uid 10001 --gid shop --home-dir /app --no-create-home shop
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
USER 10001:10001
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \\
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server.js"]
EOF

rev=$(git rev-parse --short=12 HEAD)
image=shop:$rev
docker build --pull --label "org.opencontainers.image.revision=$rev" --tag "$image" .

# What was built is what was meant.
[[ $(docker image inspect --format '{{.Config.User}}' "$image") == 10001:10001 ]]
[[ -z $(docker run --rm --network none --entrypoint sh "$image" -c 'find /app -writable -not -type l -print -quit') ]]

name=shop-smoke-$$
trap 'docker rm --force "$name" > /dev/null 2>&1 || true' EXIT
docker run --detach --name "$name" --read-only --tmpfs /tmp --cap-drop ALL --publish 127.0.0.1::3000 "$image" > /dev/null
for _ in {1..30}; do
  state=$(docker inspect --format '{{.State.Health.Status}}' "$name")
  [[ $state != healthy ]] || break
  sleep 2
done
if [[ $state != healthy ]]; then
  docker logs --tail 40 "$name" >&2
  exit 1
fi
curl -fsS -o /dev/null "http://$(docker port "$name" 3000/tcp)/healthz"
docker image ls --format '{{.Repository}}:{{.Tag}} {{.Size}}' "$image"
