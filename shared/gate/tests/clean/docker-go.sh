#!/usr/bin/env bash
# Builds the image of the API
set -euo pipefail
mkdir -p ~/workspace/api && cd ~/workspace/api
cat > go.mod <<'EOF'
module example.org/api

go 1.25
EOF
cat > main.go <<'EOF'
package main

import (
	"log"
	"net/http"
)

func main() {
	http.HandleFunc("/health", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	log.Fatal(http.ListenAndServe(":8080", nil))
}
EOF
cat > Dockerfile <<'EOF'
ARG GO=1.25.1
FROM golang:${GO}-bookworm AS build
WORKDIR /src
COPY go.mod *.go ./
RUN CGO_ENABLED=0 go build -trimpath -o /api .

FROM gcr.io/distroless/static-debian12:nonroot@sha256:e8a4044e0b4ae4257efa45fc026c0bc30ad320d43bd4c1a7d5271bd241e386d0
COPY --from=build /api /api
EXPOSE 8080
ENTRYPOINT ["/api"]
EOF
printf '%s\n' .git '*.md' > .dockerignore
docker build --pull --tag api:1.0.0 .
docker image inspect api:1.0.0 --format '{{.Config.User}} {{.Size}}'
docker run --detach --rm --name api-check --publish 127.0.0.1:18080:8080 api:1.0.0
trap 'docker stop api-check' EXIT
curl --fail --silent --retry 10 --retry-connrefused --retry-delay 1 http://127.0.0.1:18080/health
