#!/usr/bin/env bash
set -euo pipefail

mkdir -p caddy/site && cd caddy
cat > Caddyfile <<'EOF'
{
	admin off
	email ops@example.com
}

(common) {
	encode zstd gzip
	header -Server
}

example.com {
	import common
	@static path_regexp static \.(css|js)$
	header @static Cache-Control "max-age=604800"
	handle /api/* {
		reverse_proxy api:8080
	}
	handle {
		root * /srv
		file_server
	}
}

http://:8081 {
	respond /healthz "ok" 200
}
EOF
echo '<h1>Hi</h1>' > site/index.html
cat > compose.yaml <<'EOF'
services:
  caddy:
    image: caddy:2.8.4-alpine
    ports:
      - "80:80"
      - "443:443"
      - "127.0.0.1:8081:8081"
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - ./site:/srv:ro
      - caddy_data:/data
  api:
    image: traefik/whoami:v1.10.3
    command: --port 8080
volumes:
  caddy_data: {}
EOF
docker compose run --rm --no-deps caddy caddy validate --config /etc/caddy/Caddyfile
docker compose up -d
curl -fsS --retry 10 --retry-all-errors --retry-delay 2 http://127.0.0.1:8081/healthz
