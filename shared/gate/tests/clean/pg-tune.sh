#!/usr/bin/env bash
set -euo pipefail
version=17
conf=/etc/postgresql/$version/main
sudo tee "$conf/conf.d/10-shop.conf" >/dev/null <<'EOF'
listen_addresses = 'localhost,10.0.2.11'
max_connections = 100
shared_buffers = 2GB
effective_cache_size = 6GB
work_mem = 16MB
wal_level = replica
max_wal_senders = 5
password_encryption = scram-sha-256
log_min_duration_statement = 500ms
EOF
sudo tee "$conf/pg_hba.conf" >/dev/null <<'EOF'
local   all          postgres                     peer
local   all          all                          peer
host    shop         shop         10.0.1.0/24     scram-sha-256
hostssl replication  replicator   10.0.2.12/32    scram-sha-256
EOF
sudo chown postgres:postgres "$conf/pg_hba.conf" "$conf/conf.d/10-shop.conf"
sudo systemctl restart "postgresql@$version-main"
sudo -u postgres psql -tAc "SELECT count(*) FROM pg_hba_file_rules WHERE error IS NOT NULL" | grep -qx 0
