#!/usr/bin/env bash
set -euo pipefail

umask 077
[ -s redis.pw ] || openssl rand -hex 32 > redis.pw

cat > redis.conf.in <<'EOF'
bind 127.0.0.1 -::1
protected-mode yes
port 6379
dir /var/lib/redis
appendonly yes
maxmemory 256mb
maxmemory-policy noeviction
requirepass @PASSWORD@
EOF

sed "s/@PASSWORD@/$(< redis.pw)/" redis.conf.in > redis.conf
ssh server 'sudo apt-get update -q && sudo apt-get install -y -q redis-server'
ssh server 'sudo install -o redis -g redis -m 0640 /dev/stdin /etc/redis/redis.conf' < redis.conf
ssh server 'sudo systemctl restart redis-server'

# The password goes over standard input, never onto a command line.
{ printf 'AUTH %s\n' "$(< redis.pw)"; echo PING; } | ssh server 'redis-cli' | grep -qx PONG
