#!/usr/bin/env bash
# Borg from the shop server to a storage box: key of its own, pinned host key, nightly by cron.
set -euo pipefail

: "${BORG_HOST:?the storage box}" "${BORG_USER:?the account on it}"
: "${BORG_HOSTKEY:?the line of known_hosts that the provider publishes}"
[[ $BORG_HOSTKEY == "$BORG_HOST "* || $BORG_HOSTKEY == "[$BORG_HOST]:23 "* ]]

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

printf '%s\n' "$BORG_HOSTKEY" > "$stage/known_hosts"
cat > "$stage/env" <<EOF
export BORG_REPO='ssh://$BORG_USER@$BORG_HOST:23/./shop'
export BORG_RSH='ssh -i /root/.borg/id_ed25519 -o UserKnownHostsFile=/root/.borg/known_hosts -o StrictHostKeyChecking=yes -o BatchMode=yes'
export BORG_PASSCOMMAND='cat /root/.borg/passphrase'
EOF

cat > "$stage/borg-shop" <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
. /root/.borg/env
exec 9> /run/lock/borg-shop.lock
flock -n 9 || { echo 'the last backup still runs' >&2; exit 1; }

rc=0
borg create --stats --compression zstd,6 --exclude-caches --exclude '/srv/shop/tmp' \
  '::shop-{now:%Y-%m-%dT%H:%M}' /srv/shop /etc || rc=$?
# 1 is a warning: a file changed while it was read.
(( rc <= 1 )) || exit "$rc"
borg prune --list --glob-archives 'shop-*' --keep-daily 7 --keep-weekly 4 --keep-monthly 6
borg compact
touch /var/lib/misc/borg-shop.ok
EOF

cat > "$stage/cron" <<'EOF'
SHELL=/bin/bash
PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
MAILTO=root
40 3 * * * root borg-shop >> /var/log/borg-shop.log 2>&1 || tail -n 30 /var/log/borg-shop.log
EOF

cat > "$stage/logrotate" <<'EOF'
/var/log/borg-shop.log {
    monthly
    rotate 6
    compress
    delaycompress
    missingok
    notifempty
    create 0640 root adm
}
EOF

tar -C "$stage" -cf - . | ssh server 'rm -rf borg-in && mkdir -m 0700 borg-in && tar -x -C borg-in'
ssh server 'sudo bash -euo pipefail -s' <<'EOF'
in=$PWD/borg-in
trap 'rm -rf "$in"' EXIT
command -v borg > /dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -yq borgbackup < /dev/null

install -d -m 0700 /root/.borg
[[ -s /root/.borg/id_ed25519 ]] || ssh-keygen -q -t ed25519 -N '' -C borg-shop -f /root/.borg/id_ed25519 < /dev/null
[[ -s /root/.borg/passphrase ]] || (umask 077; openssl rand -base64 36 > /root/.borg/passphrase)
install -m 0600 "$in/known_hosts" /root/.borg/known_hosts
install -m 0600 "$in/env" /root/.borg/env
install -m 0750 "$in/borg-shop" /usr/local/sbin/borg-shop
bash -n /usr/local/sbin/borg-shop

. /root/.borg/env
# BORG_RSH is a command with arguments, hence without quotes.
host=${BORG_REPO#ssh://}
host=${host%%:*}
if ! $BORG_RSH -p 23 "$host" ls < /dev/null > /dev/null 2>&1; then
  echo 'add this key to the storage box and run the script again:' >&2
  cat /root/.borg/id_ed25519.pub >&2
  exit 3
fi
borg info < /dev/null > /dev/null 2>&1 || borg init --encryption=repokey-blake2 < /dev/null

install -m 0644 "$in/logrotate" /etc/logrotate.d/borg-shop
logrotate --debug /etc/logrotate.d/borg-shop
install -m 0644 "$in/cron" /etc/cron.d/borg-shop
systemctl enable --now cron
EOF
