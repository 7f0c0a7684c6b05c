sudo nginx -t
health=$(curl --silent --fail --insecure --resolve '@domain@:443:127.0.0.1' 'https://@domain@/health')
grep --quiet '"status": "ok"' <<<"$health"
