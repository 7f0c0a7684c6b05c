#!/usr/bin/env bash
# PostgreSQL 15 on Debian 12: settings, access rules, a role and its tables.
set -euo pipefail

: "${BILLING_PASSWORD:?set BILLING_PASSWORD}"
export BILLING_PASSWORD
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends postgresql-15 ssl-cert

conf=/etc/postgresql/15/main

cat > "$conf/conf.d/20-billing.conf" <<'EOF'
listen_addresses = 'localhost,10.0.4.10'
port = 5432
max_connections = 150
shared_buffers = 4GB
effective_cache_size = 12GB
work_mem = 16MB
maintenance_work_mem = 512MB
wal_level = replica
max_wal_size = 4GB
checkpoint_completion_target = 0.9
random_page_cost = 1.1
ssl = on
password_encryption = scram-sha-256
log_line_prefix = '%m [%p] %u@%d '
log_min_duration_statement = 250ms
log_lock_waits = on
idle_in_transaction_session_timeout = 10min
autovacuum = on
EOF

cat > "$conf/pg_hba.conf" <<'EOF'
# TYPE   DATABASE  USER      ADDRESS        METHOD
local    all       postgres                 peer
local    all       all                      peer
hostssl  billing   billing   10.0.4.0/24    scram-sha-256
host     all       all       127.0.0.1/32   scram-sha-256
EOF
chown postgres:postgres "$conf/pg_hba.conf" "$conf/conf.d/20-billing.conf"
chmod 0640 "$conf/pg_hba.conf"

systemctl enable postgresql
systemctl restart postgresql@15-main
runuser -u postgres -- pg_isready --timeout=30

runuser -u postgres -- psql -v ON_ERROR_STOP=1 <<'EOF'
\getenv password BILLING_PASSWORD
SELECT 'CREATE ROLE billing LOGIN'
 WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'billing') \gexec
ALTER ROLE billing PASSWORD :'password';
SELECT 'CREATE DATABASE billing OWNER billing'
 WHERE NOT EXISTS (SELECT 1 FROM pg_database WHERE datname = 'billing') \gexec
EOF

runuser -u postgres -- psql -v ON_ERROR_STOP=1 -d billing <<'EOF'
BEGIN;
SET ROLE billing;
CREATE TABLE IF NOT EXISTS customers (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email      text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS invoices (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers (id) ON DELETE RESTRICT,
  amount      numeric(12,2) NOT NULL CHECK (amount >= 0),
  due         date NOT NULL
);
CREATE INDEX IF NOT EXISTS invoices_customer_idx ON invoices (customer_id);
COMMIT;
EOF

errors=$(runuser -u postgres -- psql -tAc "SELECT count(*) FROM pg_hba_file_rules WHERE error IS NOT NULL")
if [ "$errors" -ne 0 ]; then
  echo "pg_hba.conf has $errors wrong lines" >&2
  exit 1
fi
PGPASSWORD="$BILLING_PASSWORD" psql -h 127.0.0.1 -U billing -d billing -tAc 'SELECT count(*) FROM invoices'
