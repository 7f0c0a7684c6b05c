#!/usr/bin/env bash
# Nightly restic backup by a systemd timer.
set -euo pipefail

: "${RESTIC_PASSWORD:?}"
: "${AWS_ACCESS_KEY_ID:?}"
: "${AWS_SECRET_ACCESS_KEY:?}"

install -d -m 0700 /etc/restic
install -m 0600 /dev/null /etc/restic/env
cat > /etc/restic/env <<EOF
RESTIC_REPOSITORY=s3:https://s3.eu-central-1.amazonaws.com/harbour-backup
RESTIC_PASSWORD=$RESTIC_PASSWORD
AWS_ACCESS_KEY_ID=$AWS_ACCESS_KEY_ID
AWS_SECRET_ACCESS_KEY=$AWS_SECRET_ACCESS_KEY
EOF

cat > /usr/local/sbin/restic-backup <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
restic snapshots > /dev/null 2>&1 || restic init
restic backup --one-file-system --exclude-caches --tag nightly /etc /srv /home
restic forget --tag nightly --keep-daily 7 --keep-weekly 4 --keep-monthly 12 --prune
EOF
chmod 0755 /usr/local/sbin/restic-backup

cat > /etc/systemd/system/restic-backup.service <<'EOF'
[Unit]
Description=Restic backup
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
EnvironmentFile=/etc/restic/env
Environment=RESTIC_CACHE_DIR=/var/cache/restic
CacheDirectory=restic
ExecStart=/usr/local/sbin/restic-backup
Nice=10
IOSchedulingClass=idle
EOF

cat > /etc/systemd/system/restic-backup.timer <<'EOF'
[Unit]
Description=Nightly restic backup

[Timer]
OnCalendar=*-*-* 02:30:00
RandomizedDelaySec=15m
Persistent=true

[Install]
WantedBy=timers.target
EOF

systemd-analyze verify /etc/systemd/system/restic-backup.{service,timer}
systemctl daemon-reload
systemctl enable --now restic-backup.timer
systemctl list-timers restic-backup.timer --no-pager
