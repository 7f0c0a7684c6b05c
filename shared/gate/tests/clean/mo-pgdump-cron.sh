#!/usr/bin/env bash
# Nightly pg_dump with rotation, by cron, and a log that is rotated.
set -euo pipefail

: "${DB_PASSWORD:?}"

id dbbackup > /dev/null 2>&1 || useradd --system --create-home --shell /usr/sbin/nologin dbbackup
install -d -o dbbackup -g dbbackup -m 0750 /var/backups/shop
install -o dbbackup -g adm -m 0640 /dev/null /var/log/shop-backup.log

install -o dbbackup -g dbbackup -m 0600 /dev/null /home/dbbackup/.pgpass
printf '%s\n' "db.internal:5432:shop:backup:$DB_PASSWORD" > /home/dbbackup/.pgpass

cat > /usr/local/bin/shop-backup <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
umask 027
target=/var/backups/shop
stamp=$(date +%F-%H%M)
tmp=$(mktemp "$target/.dump.XXXXXX")
trap 'rm -f -- "$tmp"' EXIT

pg_dump --host=db.internal --username=backup --no-password \
  --format=custom --compress=6 --file="$tmp" shop
pg_restore --list "$tmp" > /dev/null
mv -- "$tmp" "$target/shop-$stamp.dump"
find "$target" -maxdepth 1 -type f -name 'shop-*.dump' -mtime +14 -delete
echo "$(date -Is) wrote shop-$stamp.dump"
EOF
chmod 0755 /usr/local/bin/shop-backup

cat > /etc/cron.d/shop-backup <<'EOF'
SHELL=/bin/bash
PATH=/usr/local/bin:/usr/bin:/bin
MAILTO=ops@example.org
30 1 * * * dbbackup flock -n /var/backups/shop/.lock shop-backup >> /var/log/shop-backup.log
0 6 1 * * root du -sh /var/backups/shop
EOF
chmod 0644 /etc/cron.d/shop-backup

cat > /etc/logrotate.d/shop-backup <<'EOF'
/var/log/shop-backup.log {
    su root adm
    monthly
    rotate 6
    compress
    missingok
    notifempty
    create 0640 dbbackup adm
}
EOF
logrotate --debug /etc/logrotate.d/shop-backup
runuser -u dbbackup -- /usr/local/bin/shop-backup
