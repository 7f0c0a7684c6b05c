#!/usr/bin/env bash
set -euo pipefail
# Nightly restic backup of the site to S3, with a systemd timer.
: "${BACKUP_BUCKET:?set BACKUP_BUCKET}"
apt-get update
apt-get install -y --no-install-recommends restic jq

install -d -m 0700 /etc/restic
if [ ! -s /etc/restic/password ]; then
  ( umask 077; openssl rand -base64 32 > /etc/restic/password )
fi
(
  umask 077
  cat > /etc/restic/env <<EOF
RESTIC_REPOSITORY=s3:s3.${AWS_REGION}.amazonaws.com/${BACKUP_BUCKET}/site
RESTIC_PASSWORD_FILE=/etc/restic/password
AWS_ACCESS_KEY_ID=${AWS_ACCESS_KEY_ID}
AWS_SECRET_ACCESS_KEY=${AWS_SECRET_ACCESS_KEY}
EOF
)

cat > /etc/restic/exclude <<'EOF'
/var/www/*/cache
*.tmp
EOF

cat > /usr/local/sbin/site-backup <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
umask 077
staging=/var/backups/site
mkdir -p "$staging"
if command -v pg_dump > /dev/null; then
  runuser -u postgres -- pg_dump --format=custom site > "$staging/site.dump"
fi
restic backup --tag nightly --exclude-file /etc/restic/exclude /var/www /etc "$staging"
restic forget --tag nightly --keep-daily 7 --keep-weekly 4 --keep-monthly 6 --prune
EOF
chmod 0750 /usr/local/sbin/site-backup

cat > /etc/systemd/system/site-backup.service <<'EOF'
[Unit]
Description=Back up the site
Wants=network-online.target
After=network-online.target
OnFailure=site-backup-failed.service

[Service]
Type=oneshot
EnvironmentFile=/etc/restic/env
ExecStart=/usr/local/sbin/site-backup
Nice=10
IOSchedulingClass=idle
TimeoutStartSec=2h
CacheDirectory=restic
Environment=RESTIC_CACHE_DIR=/var/cache/restic
EOF

cat > /etc/systemd/system/site-backup-failed.service <<'EOF'
[Unit]
Description=Record a failed backup

[Service]
Type=oneshot
ExecStart=/usr/bin/logger -p user.err "site backup failed"
EOF

cat > /etc/systemd/system/site-backup.timer <<'EOF'
[Unit]
Description=Nightly backup of the site

[Timer]
OnCalendar=*-*-* 02:30:00
RandomizedDelaySec=20min
Persistent=true

[Install]
WantedBy=timers.target
EOF

set -a
# shellcheck source=/dev/null
. /etc/restic/env
set +a
restic snapshots > /dev/null 2>&1 || restic init

systemctl daemon-reload
systemctl enable --now site-backup.timer
systemctl start site-backup.service

restic check
restic snapshots --tag nightly --json | jq -e 'length >= 1' > /dev/null
systemctl is-active --quiet site-backup.timer
