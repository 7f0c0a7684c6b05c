#!/usr/bin/env bash
set -euo pipefail

: "${DATABASE_PASSWORD:?DATABASE_PASSWORD must be set}"

tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT

cat > "$tmp/50-shop.conf" <<'EOF'
listen_addresses = 'localhost'
port = 5432
shared_buffers = 256MB
work_mem = 8MB
effective_cache_size = 1GB
wal_level = replica
log_connections = on
password_encryption = 'scram-sha-256'
EOF

cat > "$tmp/pg_hba.conf" <<'EOF'
# TYPE  DATABASE  USER      ADDRESS        METHOD
local   all       postgres                 peer
local   all       all                      peer
host    shop      shop_app  127.0.0.1/32   scram-sha-256
host    shop      shop_app  ::1/128        scram-sha-256
EOF

cat > "$tmp/schema.sql" <<'EOF'
\set ON_ERROR_STOP on
BEGIN;

CREATE TABLE IF NOT EXISTS customers (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email      text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS orders (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers (id),
    total_cents integer NOT NULL CHECK (total_cents >= 0),
    placed_at   timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX IF NOT EXISTS orders_customer_idx ON orders (customer_id);

GRANT SELECT, INSERT, UPDATE ON customers, orders TO shop_app;

COMMIT;
EOF

cat > "$tmp/password.sql" <<'EOF'
\set pw `cat`
ALTER ROLE shop_app PASSWORD :'pw';
EOF

remote="$(ssh server 'mktemp -d')"
scp -q "$tmp"/*.conf "$tmp"/*.sql "server:${remote}/"

# shellcheck disable=SC2029
ssh server "bash -s -- '${remote}'" <<'EOF'
set -euo pipefail
src="$1"
conf=/etc/postgresql/15/main

sudo apt-get update -q </dev/null
sudo DEBIAN_FRONTEND=noninteractive apt-get install -yq postgresql-15 </dev/null

sudo cp -p "$conf/pg_hba.conf" "$conf/pg_hba.conf.$(date +%s).bak"
sudo install -o postgres -g postgres -m 0640 "$src/50-shop.conf" "$conf/conf.d/50-shop.conf"
sudo install -o postgres -g postgres -m 0640 "$src/pg_hba.conf" "$conf/pg_hba.conf"
sudo systemctl enable postgresql
sudo systemctl restart postgresql@15-main

if [ "$(sudo -u postgres psql -Atc "SELECT count(*) FROM pg_roles WHERE rolname = 'shop_app'")" = "0" ]; then
    sudo -u postgres createuser --no-superuser --no-createdb shop_app
fi
if [ "$(sudo -u postgres psql -Atc "SELECT count(*) FROM pg_database WHERE datname = 'shop'")" = "0" ]; then
    sudo -u postgres createdb --encoding=UTF8 shop
fi
sudo -u postgres psql -q -d shop < "$src/schema.sql"
EOF

# The password goes through standard input, it is on no command line.
# shellcheck disable=SC2029
ssh server "chmod 755 '${remote}' && sudo -u postgres psql -q -v ON_ERROR_STOP=1 -f '${remote}/password.sql'" <<<"$DATABASE_PASSWORD"

ssh server "sudo -u postgres psql -d shop -Atc 'SELECT count(*) FROM orders'"
ssh server 'systemctl is-active postgresql@15-main'
printf '%s' "$DATABASE_PASSWORD" | ssh server "read -r PGPASSWORD || true; export PGPASSWORD; psql -h 127.0.0.1 -U shop_app -d shop -Atc 'SELECT 1'"
