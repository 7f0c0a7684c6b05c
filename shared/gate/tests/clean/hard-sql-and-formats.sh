#!/usr/bin/env bash
set -euo pipefail
cat > fn.sql <<'EOF'
CREATE OR REPLACE FUNCTION touch() RETURNS trigger AS $$
DECLARE r record;
BEGIN
  IF NEW.updated IS NULL THEN
    NEW.updated := now();
  ELSIF NEW.updated < OLD.updated THEN
    RAISE EXCEPTION 'older';
  ELSE
    NULL;
  END IF;
  FOR r IN SELECT * FROM t LOOP
    IF r.a > 1 THEN CONTINUE; END IF;
  END LOOP;
  WHILE false LOOP NULL; END LOOP;
  RETURN CASE WHEN NEW.a = 1 THEN NEW ELSE OLD END;
END;
$$ LANGUAGE plpgsql;
CREATE TABLE IF NOT EXISTS t (a int, updated timestamptz);
DROP TRIGGER IF EXISTS touch ON t;
CREATE TRIGGER touch BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION touch();
EOF
cat > .env <<'EOF'
APP_PORT=3000
TAG=1.2.3
EOF
cat > compose.yaml <<'EOF'
services:
  app:
    image: ghcr.io/acme/app:${TAG}
    ports: ["127.0.0.1:${APP_PORT}:3000"]
    environment:
      LEVEL: ${LEVEL:-info}
      COST: "$${NOT_MINE}"
    command: ["sh", "-c", "exec app --port $$PORT"]
EOF
cat > redis.conf <<'EOF'
bind 127.0.0.1
rename-command FLUSHALL ""
rename-command FLUSHDB ""
EOF
cat > user-data.yaml <<'EOF'
#cloud-config
packages: [nginx, curl]
write_files:
  - path: /etc/x
    permissions: "0644"
    content: |
      a: b
runcmd:
  - [systemctl, restart, nginx]
  - echo hi
users:
  - default
EOF
cat > daemon.json <<'EOF'
{ "log-driver": "json-file", "log-opts": { "max-size": "10m", "max-file": "3" }, "hosts": ["unix:///var/run/docker.sock"], "max-concurrent-downloads": 5 }
EOF
umask 077
[ -s key ] || openssl rand -hex 16 > key
token=$(cat key)
curl -fsS -H @- http://127.0.0.1:3000/ <<<"Authorization: Bearer $token" >/dev/null
ssh server 'sudo tee /etc/app.key >/dev/null' <key
tmp=$(mktemp -d)
find "$tmp" -type f -delete
git push origin main
crontab -l >/dev/null
test -s fn.sql
