#!/usr/bin/env bash
set -euo pipefail

mkdir -p tool && cd tool
cat > go.mod <<'EOF'
module example.com/tool

go 1.23
EOF
cat > main.go <<'EOF'
package main

import "fmt"

var version = "dev"

func main() { fmt.Println("tool", version) }
EOF
cat > Dockerfile <<'EOF'
ARG GO_VERSION=1.23.4
FROM golang:${GO_VERSION}-bookworm AS build
ARG VERSION=dev
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -ldflags "-X main.version=${VERSION}" -o /out/tool .

FROM alpine:3.20.3
USER 65534:65534
COPY --from=build /out/tool /tool
ENTRYPOINT ["/tool"]
EOF
printf '%s\n' .git '*.md' > .dockerignore
docker build --build-arg VERSION=2.1.0 -t tool:2.1.0 .
docker run --rm tool:2.1.0 | grep -qx 'tool 2.1.0'
