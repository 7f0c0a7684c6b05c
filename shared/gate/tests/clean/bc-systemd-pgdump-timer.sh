#!/usr/bin/env bash
# Nightly dump of the shop's database with a timer; failures go to the journal with priority err.
# Runs on the database host as root.
set -euo pipefail

(( EUID == 0 )) || exec sudo -- bash "$0" "$@"

install -d -o postgres -g postgres -m 0750 /var/backups/shop

cat > /usr/local/sbin/shop-dump <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
umask 027

database=${1:?usage: shop-dump DATABASE}
dir=/var/backups/shop
keep_days=14
file="$dir/$database-$(date -u +%Y%m%dT%H%M%SZ).dump"

cleanup() {
  rm -f -- "$file.part"
}
trap cleanup EXIT

pg_dump --format=custom --compress=6 --file="$file.part" "$database"
pg_restore --list "$file.part" > /dev/null
mv -- "$file.part" "$file"

# The newest dumps stay even when the dumping stops for a while.
mapfile -t old < <(find "$dir" -name "$database-*.dump" -mtime +"$keep_days" | sort)
total=$(find "$dir" -name "$database-*.dump" | wc -l)
for dump in "${old[@]}"; do
  (( total > 7 )) || break
  rm -- "$dump"
  total=$(( total - 1 ))
done

printf 'dumped %s: %s bytes\n' "$database" "$(stat -c %s "$file")"
EOF
chmod 0755 /usr/local/sbin/shop-dump

cat > /etc/systemd/system/shop-dump@.service <<'EOF'
[Unit]
Description=Dump of the database %i
After=postgresql.service
Requires=postgresql.service
OnFailure=shop-alert@%n.service

[Service]
Type=oneshot
User=postgres
ExecStart=/usr/local/sbin/shop-dump %i
Nice=10
IOSchedulingClass=idle
PrivateTmp=yes
ProtectSystem=strict
ProtectHome=yes
ReadWritePaths=/var/backups/shop
NoNewPrivileges=yes
EOF

cat > /etc/systemd/system/shop-alert@.service <<'EOF'
[Unit]
Description=Alert about %i

[Service]
Type=oneshot
ExecStart=/usr/bin/logger --priority daemon.err --tag shop-alert "unit %i failed"
EOF

cat > /etc/systemd/system/shop-dump@.timer <<'EOF'
[Unit]
Description=Nightly dump of the database %i

[Timer]
OnCalendar=*-*-* 02:15:00
RandomizedDelaySec=10m
Persistent=true

[Install]
WantedBy=timers.target
EOF

bash -n /usr/local/sbin/shop-dump
systemd-analyze calendar '*-*-* 02:15:00' > /dev/null
systemctl daemon-reload
systemctl enable --now shop-dump@shop.timer

systemctl start shop-dump@shop.service
newest=$(find /var/backups/shop -name 'shop-*.dump' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
[[ -n $newest && $(stat -c %s "$newest") -gt 0 ]]
pg_restore --list "$newest" | grep -F 'dbname: shop'
systemctl is-enabled shop-dump@shop.timer
