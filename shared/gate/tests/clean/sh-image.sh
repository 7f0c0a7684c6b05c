#!/usr/bin/env bash
# Builds the image and pushes it by its commit
set -euo pipefail
registry=registry.example.com
cd ~/workspace/api
cat >Dockerfile <<'EOF'
FROM golang:1.24.3 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /api ./cmd/api

FROM gcr.io/distroless/static-debian12:nonroot@sha256:9ecc53c269509f63c69a266168e4a687c7eb8c0cfd753bd8bfcaa4f58a90876f
COPY --from=build /api /api
USER nonroot
EXPOSE 8080
ENTRYPOINT ["/api"]
EOF
tag=$(git rev-parse --short=12 HEAD)
printf '%s' "$REGISTRY_TOKEN" | docker login --username pipeline --password-stdin "$registry"
docker build --pull --tag "$registry/api:$tag" .
docker push "$registry/api:$tag"
docker logout "$registry"
