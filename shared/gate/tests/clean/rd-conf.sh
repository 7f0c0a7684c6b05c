#!/usr/bin/env bash
set -euo pipefail
sudo apt-get update
sudo apt-get install -y redis-server
sudo tee /etc/redis/redis.conf >/dev/null <<'EOF'
bind 127.0.0.1 -::1
protected-mode yes
port 6379
supervised systemd
dir /var/lib/redis
save 900 1
save 300 10
appendonly yes
appendfsync everysec
maxmemory 256mb
maxmemory-policy volatile-lru
maxclients 1000
rename-command FLUSHALL ""
loglevel notice
logfile /var/log/redis/redis-server.log
EOF
sudo chown redis:redis /etc/redis/redis.conf
sudo chmod 0640 /etc/redis/redis.conf
sudo systemctl enable redis-server
sudo systemctl restart redis-server
for _ in $(seq 1 10); do
  if [ "$(redis-cli ping)" = PONG ]; then
    exit 0
  fi
  sleep 1
done
echo "Redis does not answer" >&2
exit 1
