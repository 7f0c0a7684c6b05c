#!/usr/bin/env bash
# Installs Redis so that it survives a restart
set -euo pipefail
ssh server 'sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends redis-server'
ssh server 'sudo install -d -m 0755 /etc/redis/conf.d'
ssh server "sudo tee /etc/redis/conf.d/shop.conf" >/dev/null <<'EOF'
bind 127.0.0.1 -::1
protected-mode yes
appendonly yes
appendfsync everysec
maxmemory 256mb
maxmemory-policy allkeys-lru
EOF
ssh server 'sudo grep -qxF "include /etc/redis/conf.d/*.conf" /etc/redis/redis.conf || echo "include /etc/redis/conf.d/*.conf" | sudo tee -a /etc/redis/redis.conf >/dev/null'
ssh server 'sudo systemctl restart redis-server'
ssh server 'redis-cli set proof 1 >/dev/null && sudo systemctl restart redis-server && sleep 2 && test "$(redis-cli get proof)" = 1'
