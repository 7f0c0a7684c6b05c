#!/usr/bin/env bash
# A small Go service of the shop (stock levels), built here, run on the server under a tight unit.
set -euo pipefail

app=~/workspace/stock
mkdir -p "$app"
cd "$app"

cat > go.mod <<'EOF'
module example.org/shop/stock

go 1.24
EOF

cat > main.go <<'EOF'
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
	listen := os.Getenv("STOCK_LISTEN")
	if listen == "" {
		listen = "127.0.0.1:8090"
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(map[string]string{"status": "ok"}); err != nil {
			log.Printf("write: %v", err)
		}
	})

	server := &http.Server{Addr: listen, Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()

	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()

	select {
	case err := <-failed:
		if !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	case <-ctx.Done():
		shutdown, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := server.Shutdown(shutdown); err != nil {
			log.Printf("shutdown: %v", err)
		}
	}
}
EOF

cat > stock.service <<'EOF'
[Unit]
Description=Stock levels of the shop
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=/usr/local/bin/stock
Environment=STOCK_LISTEN=127.0.0.1:8090
DynamicUser=yes
Restart=on-failure
RestartSec=2
MemoryMax=256M
CapabilityBoundingSet=
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectSystem=strict
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
EOF

docker run --rm -v "$PWD:/src" -w /src -e CGO_ENABLED=0 -e GOFLAGS=-buildvcs=false golang:1.24.5-bookworm \
  sh -c 'go vet ./... && go build -trimpath -ldflags="-s -w" -o stock .'

scp stock stock.service server:/tmp/
ssh server 'bash -s' <<'REMOTE'
set -euo pipefail
sudo install -o root -g root -m 0755 /tmp/stock /usr/local/bin/stock
sudo install -o root -g root -m 0644 /tmp/stock.service /etc/systemd/system/stock.service
rm /tmp/stock /tmp/stock.service
sudo systemd-analyze verify /etc/systemd/system/stock.service
sudo systemctl daemon-reload
sudo systemctl enable stock.service
sudo systemctl restart stock.service
curl -fsS --retry 10 --retry-connrefused --retry-delay 1 http://127.0.0.1:8090/healthz | grep -F '"status":"ok"'
systemctl is-active stock.service
REMOTE
