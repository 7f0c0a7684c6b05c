#!/usr/bin/env bash
# Retention of personal data: carts after 30 days, logins after 90, exports after 7. Deletes on purpose, in small batches.
set -euo pipefail

ssh server 'sudo bash -euo pipefail -s' <<'EOF'
install -d -o root -g postgres -m 0750 /etc/shop-retention

cat > /etc/shop-retention/purge.sql <<'SQL'
\set ON_ERROR_STOP on
SET lock_timeout = '5s';
SET statement_timeout = '10min';

CREATE OR REPLACE PROCEDURE pg_temp.purge(statement text, label text)
LANGUAGE plpgsql AS $$
DECLARE
  gone bigint;
  total bigint := 0;
BEGIN
  LOOP
    EXECUTE statement;
    GET DIAGNOSTICS gone = ROW_COUNT;
    total := total + gone;
    COMMIT;
    EXIT WHEN gone = 0;
  END LOOP;
  RAISE NOTICE '%: % rows', label, total;
END $$;

CALL pg_temp.purge($q$
  DELETE FROM cart WHERE id IN (
    SELECT id FROM cart
    WHERE order_id IS NULL AND updated_at < now() - interval '30 days'
    LIMIT 5000)
$q$, 'abandoned carts');

CALL pg_temp.purge($q$
  DELETE FROM login_event WHERE id IN (
    SELECT id FROM login_event
    WHERE created_at < now() - interval '90 days'
    LIMIT 5000)
$q$, 'login events');
SQL
chown root:postgres /etc/shop-retention/purge.sql
chmod 0640 /etc/shop-retention/purge.sql

cat > /usr/local/sbin/shop-retention <<'SH'
#!/usr/bin/env bash
set -euo pipefail
# Nothing is deleted unless last night's backup is there.
recent=$(find /var/backups/shop -maxdepth 1 -name 'shop-*.dump' -mmin -1560 -size +0 -print -quit)
if [[ -z $recent ]]; then
  echo 'no backup of the last 26 hours, nothing is deleted' >&2
  exit 1
fi
runuser -u postgres -- psql --no-psqlrc --dbname=shop --file=/etc/shop-retention/purge.sql
if [[ -d /var/lib/shop/exports ]]; then
  find /var/lib/shop/exports -xdev -type f -name '*.csv' -mtime +7 -print -delete
fi
SH
chmod 0750 /usr/local/sbin/shop-retention
bash -n /usr/local/sbin/shop-retention

cat > /etc/systemd/system/shop-retention.service <<'UNIT'
[Unit]
Description=Delete personal data of the shop after its retention time
After=postgresql.service
Requisite=postgresql.service

[Service]
Type=oneshot
ExecStart=/usr/local/sbin/shop-retention
TimeoutStartSec=1h
UNIT

cat > /etc/systemd/system/shop-retention.timer <<'UNIT'
[Unit]
Description=Nightly retention of the shop

[Timer]
OnCalendar=*-*-* 04:30:00
Persistent=true

[Install]
WantedBy=timers.target
UNIT

systemd-analyze verify /etc/systemd/system/shop-retention.service /etc/systemd/system/shop-retention.timer
systemctl daemon-reload
systemctl enable --now shop-retention.timer

# How much the first run would delete; only counted here.
runuser -u postgres -- psql --no-psqlrc -d shop -v ON_ERROR_STOP=1 -At -F ' ' < /dev/null \
  -c "SELECT 'carts', count(*) FROM cart WHERE order_id IS NULL AND updated_at < now() - interval '30 days'" \
  -c "SELECT 'logins', count(*) FROM login_event WHERE created_at < now() - interval '90 days'"
systemctl list-timers --no-pager shop-retention.timer
EOF
