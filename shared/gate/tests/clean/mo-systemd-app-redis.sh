#!/usr/bin/env bash
# Application service with a Redis cache and a Caddy front.
set -euo pipefail

: "${SESSION_SECRET:?}"

id -u notes &> /dev/null || useradd --system --home-dir /var/lib/notes --shell /usr/sbin/nologin notes
install -d -m 0750 -o root -g notes /etc/notes
install -m 0640 -o root -g notes /dev/null /etc/notes/notes.env
tee /etc/notes/notes.env > /dev/null <<EOF
PORT=8090
REDIS_URL=redis://127.0.0.1:6379/0
SESSION_SECRET=$SESSION_SECRET
EOF

mkdir -p /etc/notes-redis
cat > /etc/notes-redis/notes.conf <<'EOF'
bind 127.0.0.1
port 6379
protected-mode yes
maxmemory 256mb
maxmemory-policy allkeys-lru
appendonly no
save ""
EOF

cat > /etc/systemd/system/notes-redis.service <<'EOF'
[Unit]
Description=Cache of the notes service

[Service]
DynamicUser=yes
ExecStart=/usr/bin/redis-server /etc/notes-redis/notes.conf --supervised systemd --daemonize no
Type=notify
Restart=always
StateDirectory=notes-redis
WorkingDirectory=/var/lib/notes-redis
EOF

cat > /etc/systemd/system/notes.service <<'EOF'
[Unit]
Description=Notes service
Requires=notes-redis.service
After=network.target notes-redis.service

[Service]
User=notes
Group=notes
EnvironmentFile=/etc/notes/notes.env
ExecStartPre=/usr/bin/test -n "${SESSION_SECRET}"
ExecStart=/opt/notes/bin/notes --listen 127.0.0.1:${PORT}
StateDirectory=notes
Restart=on-failure
RestartSec=5s
MemoryMax=512M
PrivateTmp=true
ProtectSystem=strict
ProtectHome=true

[Install]
WantedBy=multi-user.target
EOF

cat > /etc/caddy/Caddyfile <<'EOF'
{
	email ops@example.org
}

notes.example.org {
	encode zstd gzip
	@static path /static/*
	header @static Cache-Control "public, max-age=86400"
	reverse_proxy 127.0.0.1:8090 {
		health_uri /healthz
		health_interval 15s
	}
}
EOF

caddy validate --config /etc/caddy/Caddyfile --adapter caddyfile
systemd-analyze verify /etc/systemd/system/notes.service
systemctl daemon-reload
systemctl enable --now notes.service
systemctl reload caddy
curl -fsS --retry 5 --retry-connrefused --retry-delay 2 http://127.0.0.1:8090/healthz
