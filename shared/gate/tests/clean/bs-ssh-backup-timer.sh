#!/usr/bin/env bash
# Nightly encrypted backup of the shop with restic, started by a systemd timer.
set -euo pipefail

: "${SHOP_HOST:?set SHOP_HOST, e.g. deploy@203.0.113.10}"
: "${AWS_ACCESS_KEY_ID:?set AWS_ACCESS_KEY_ID}"
: "${AWS_SECRET_ACCESS_KEY:?set AWS_SECRET_ACCESS_KEY}"
: "${RESTIC_PASSWORD:?set RESTIC_PASSWORD}"
: "${RESTIC_REPOSITORY:?set RESTIC_REPOSITORY, e.g. s3:s3.eu-central-1.amazonaws.com/shop-backup}"

tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT
remote() { ssh -o BatchMode=yes -o StrictHostKeyChecking=yes "$SHOP_HOST" "$@"; }

cat > "$tmp/shop-backup" <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
umask 077
dump_dir=/var/backups/shop
install -d -m 0700 "$dump_dir"
runuser -u postgres -- pg_dump --format=custom shop > "$dump_dir/shop.dump.new"
mv "$dump_dir/shop.dump.new" "$dump_dir/shop.dump"

if ! restic cat config > /dev/null 2>&1; then
  restic init
fi
restic backup --tag nightly --exclude-caches "$dump_dir" /var/lib/shop/uploads
restic forget --tag nightly --keep-daily 14 --keep-weekly 8 --keep-monthly 12 --prune
restic check --read-data-subset=1%
EOF

cat > "$tmp/shop-backup.service" <<'EOF'
[Unit]
Description=Encrypted backup of the shop
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
Type=oneshot
EnvironmentFile=/etc/shop-backup.env
ExecStart=/usr/local/sbin/shop-backup
Nice=10
PrivateTmp=true
CacheDirectory=restic
Environment=RESTIC_CACHE_DIR=/var/cache/restic
EOF

cat > "$tmp/shop-backup.timer" <<'EOF'
[Unit]
Description=Nightly backup of the shop

[Timer]
OnCalendar=*-*-* 02:30:00
RandomizedDelaySec=20m
Persistent=true
Unit=shop-backup.service

[Install]
WantedBy=timers.target
EOF

# The secrets travel on stdin, never on a command line.
{
  printf 'AWS_ACCESS_KEY_ID=%s\n' "$AWS_ACCESS_KEY_ID"
  printf 'AWS_SECRET_ACCESS_KEY=%s\n' "$AWS_SECRET_ACCESS_KEY"
  printf 'RESTIC_PASSWORD=%s\n' "$RESTIC_PASSWORD"
  printf 'RESTIC_REPOSITORY=%s\n' "$RESTIC_REPOSITORY"
} | remote 'sudo install -m 0600 -o root -g root /dev/stdin /etc/shop-backup.env'

tar -C "$tmp" -cf - shop-backup shop-backup.service shop-backup.timer \
  | remote 'sudo install -d -m 0700 /root/shop-backup && sudo tar -C /root/shop-backup -xf -'

remote sudo bash -s <<'EOF'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq restic
cd /root/shop-backup
bash -n shop-backup
install -m 0750 shop-backup /usr/local/sbin/shop-backup
install -m 0644 shop-backup.service shop-backup.timer /etc/systemd/system/
systemd-analyze verify /etc/systemd/system/shop-backup.service
systemctl daemon-reload
systemctl enable shop-backup.timer
systemctl restart shop-backup.timer
systemctl start shop-backup.service
EOF

# Proof: the timer is planned, and the run above left a snapshot.
remote systemctl is-active shop-backup.timer
remote sudo bash -s <<'EOF'
set -euo pipefail
set -a
. /etc/shop-backup.env
set +a
restic snapshots --tag nightly --json | grep '"short_id"' > /dev/null
EOF
