#!/usr/bin/env bash
# PostgreSQL 15 on a Debian 12 server for an application server in the private network.
set -euo pipefail

: "${DB_HOST:?set DB_HOST, e.g. deploy@203.0.113.11}"
: "${DB_PRIVATE_IP:?set DB_PRIVATE_IP}"
: "${APP_PRIVATE_IP:?set APP_PRIVATE_IP}"
: "${DATABASE_PASSWORD:?set DATABASE_PASSWORD}"

run() { ssh -o BatchMode=yes -o StrictHostKeyChecking=yes "$DB_HOST" "$@"; }

tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT

cat > "$tmp/shop.conf" <<EOF
listen_addresses = 'localhost,$DB_PRIVATE_IP'
ssl = on
password_encryption = 'scram-sha-256'
max_connections = 60
shared_buffers = '1GB'
effective_cache_size = '3GB'
log_connections = on
EOF

cat > "$tmp/pg_hba.conf" <<EOF
# TYPE   DATABASE  USER      ADDRESS             METHOD
local    all       postgres                      peer
local    all       all                           peer
host     shop      shop      127.0.0.1/32        scram-sha-256
hostssl  shop      shop      $APP_PRIVATE_IP/32  scram-sha-256
EOF

run sudo bash -s <<'EOF'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq postgresql-15
EOF

tar -C "$tmp" -cf - shop.conf pg_hba.conf | run 'sudo install -d -m 0700 /root/pg && sudo tar -C /root/pg -xf -'

run sudo bash -s <<'EOF'
set -euo pipefail
conf=/etc/postgresql/15/main
if [[ ! -e "$conf/pg_hba.conf.dist" ]]; then
  cp -p "$conf/pg_hba.conf" "$conf/pg_hba.conf.dist"
fi
changed=no
if ! cmp -s /root/pg/shop.conf "$conf/conf.d/shop.conf"; then
  install -o postgres -g postgres -m 0644 /root/pg/shop.conf "$conf/conf.d/shop.conf"
  changed=yes
fi
install -o postgres -g postgres -m 0640 /root/pg/pg_hba.conf "$conf/pg_hba.conf"
if [[ "$changed" == yes ]]; then
  systemctl restart postgresql@15-main
else
  systemctl reload postgresql@15-main
fi
systemctl enable postgresql
EOF

# The statement with the password goes through stdin, so it is in no process list, and it is not logged.
run 'sudo -u postgres psql -X -q -v ON_ERROR_STOP=1 -d postgres' <<EOF
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
DO \$do\$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'shop') THEN
    CREATE ROLE shop LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
  END IF;
END
\$do\$;
ALTER ROLE shop PASSWORD '${DATABASE_PASSWORD//\'/\'\'}';
SELECT 'CREATE DATABASE shop OWNER shop'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'shop')
\gexec
REVOKE CONNECT ON DATABASE shop FROM PUBLIC;
EOF

# Proof: no bad rule, and the login works over TLS with the password.
bad="$(run 'sudo -u postgres psql -XAtc "SELECT count(*) FROM pg_hba_file_rules WHERE error IS NOT NULL"')"
[[ "$bad" == 0 ]]
run sudo ss -Hltn 'sport = :5432' | awk -v ip="$DB_PRIVATE_IP" '
  $4 == ip ":5432" { ok = 1 }
  $4 ~ /^(0\.0\.0\.0|\*|\[::\]):/ { open = 1 }
  END { exit !(ok && !open) }'
# shellcheck disable=SC2016 # The server expands this.
printf '127.0.0.1:5432:shop:shop:%s\n' "$DATABASE_PASSWORD" \
  | run 'umask 077 && f=$(mktemp) && cat > "$f" && PGPASSFILE="$f" psql -h 127.0.0.1 -U shop -d shop -Atc "SELECT 1"; rc=$?; rm -f "$f"; exit $rc'
