#!/usr/bin/env bash
# Write the Go status service with its multi-stage Dockerfile, build the image and smoke-test it on a free local port.
set -euo pipefail

mkdir -p statusd
cat > statusd/go.mod <<'EOF'
module example.com/statusd

go 1.23
EOF

cat > statusd/main.go <<'EOF'
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	started := time.Now()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"status": "ok",
			"uptime": time.Since(started).Round(time.Second).String(),
		})
	})

	srv := &http.Server{Addr: ":8080", Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	done := make(chan struct{})
	go func() {
		defer close(done)
		<-ctx.Done()
		c, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := srv.Shutdown(c); err != nil {
			log.Printf("shutdown: %v", err)
		}
	}()

	log.Printf("listening on %s", srv.Addr)
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	<-done
}
EOF

cat > statusd/.dockerignore <<'EOF'
.git
*.md
EOF

cat > statusd/Dockerfile <<'EOF'
FROM golang:1.23.4-alpine3.21 AS build
WORKDIR /src
COPY go.mod ./
RUN go mod download
COPY *.go ./
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/statusd .

FROM alpine:3.21.0
RUN addgroup -S -g 10001 app && adduser -S -D -H -u 10001 -G app app
COPY --from=build /out/statusd /usr/local/bin/statusd
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=5s \
  CMD wget -qO- http://127.0.0.1:8080/healthz || exit 1
ENTRYPOINT ["/usr/local/bin/statusd"]
EOF

image=statusd:0.3.0
docker build --pull -t "$image" statusd

cid=$(docker run -d --rm --read-only --cap-drop ALL -p 127.0.0.1::8080 "$image")
trap 'docker stop -t 5 "$cid" >/dev/null 2>&1 || true' EXIT
addr=$(docker port "$cid" 8080/tcp | head -n 1)
curl -fsS --retry 10 --retry-delay 1 --retry-all-errors "http://$addr/healthz" | grep -q '"status":"ok"'
echo "$image answers"
