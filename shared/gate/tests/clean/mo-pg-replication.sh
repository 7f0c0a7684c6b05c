#!/usr/bin/env bash
# Primary for streaming replication on Debian 12 (PostgreSQL 15).
set -euo pipefail

: "${REPLICATION_PASSWORD:?}"

conf=/etc/postgresql/15/main

cat > "$conf/conf.d/replication.conf" <<'EOF'
listen_addresses = 'localhost,10.20.1.20'
wal_level = replica
max_wal_senders = 5
max_replication_slots = 5
wal_keep_size = '1GB'
hot_standby = on
password_encryption = 'scram-sha-256'
shared_buffers = '2GB'
effective_cache_size = '6GB'
checkpoint_completion_target = 0.9
EOF
chown postgres:postgres "$conf/conf.d/replication.conf"
chmod 0640 "$conf/conf.d/replication.conf"

line='host replication replicator 10.20.1.21/32 scram-sha-256'
grep -qxF "$line" "$conf/pg_hba.conf" || printf '%s\n' "$line" >> "$conf/pg_hba.conf"

systemctl restart postgresql@15-main
for _ in {1..30}; do
  if pg_isready -q -h 127.0.0.1 -p 5432; then
    break
  fi
  sleep 1
done

cd /
{ printf "\\set pw '%s'\n" "${REPLICATION_PASSWORD//\'/\'\'}"; cat <<'EOF'; } |
SELECT 'CREATE ROLE replicator WITH REPLICATION LOGIN'
WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'replicator')
\gexec
ALTER ROLE replicator PASSWORD :'pw';
SELECT pg_create_physical_replication_slot('standby1')
WHERE NOT EXISTS (
  SELECT 1 FROM pg_replication_slots WHERE slot_name = 'standby1'
);
EOF
  runuser -u postgres -- psql -X -v ON_ERROR_STOP=1 -d postgres

cat > /usr/local/sbin/make-standby <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
: "${PGPASSWORD:?}"
data=/var/lib/postgresql/15/main
systemctl stop postgresql@15-main
mv -- "$data" "$data.old.$(date +%s)"
runuser -u postgres --preserve-environment -- pg_basebackup -h 10.20.1.20 -U replicator \
  -D "$data" -X stream -S standby1 -R -P
systemctl start postgresql@15-main
EOF
chmod 0755 /usr/local/sbin/make-standby
bash -n /usr/local/sbin/make-standby
