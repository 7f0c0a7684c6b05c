#!/usr/bin/env bash
set -euo pipefail

mkdir -p cache && cd cache
cat > redis.conf <<'EOF'
bind 0.0.0.0
protected-mode yes
appendonly yes
appendfsync everysec
maxmemory 256mb
maxmemory-policy allkeys-lru
save 900 1
EOF
(umask 077; printf 'requirepass %s\n' "$(openssl rand -hex 24)" > auth.conf)
cat > compose.yaml <<'EOF'
x-logging: &logging
  logging:
    driver: json-file
    options: { max-size: 10m, max-file: "3" }
services:
  redis:
    <<: *logging
    image: redis:7.4.1-alpine
    user: root
    entrypoint: ["redis-server"]
    command: ["/etc/redis/redis.conf", "--include", "/etc/redis/auth.conf"]
    volumes:
      - ./redis.conf:/etc/redis/redis.conf:ro
      - ./auth.conf:/etc/redis/auth.conf:ro
      - data:/data
    expose: ["6379"]
    restart: unless-stopped
volumes:
  data:
EOF
docker compose config -q
docker compose up -d
docker compose exec -T redis redis-cli ping | grep -Eq 'PONG|NOAUTH'
