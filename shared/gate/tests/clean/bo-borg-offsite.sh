#!/usr/bin/env bash
# Set up nightly borg backups of files1:/srv/files to the borg account on backup1 (append-only key restricted to one repository).
set -euo pipefail

cat > borg-run <<'EOF'
#!/bin/bash
set -euo pipefail
export BORG_REPO=ssh://borg@backup1.internal/./files1
export BORG_PASSCOMMAND='cat /etc/borg/passphrase'
export BORG_RSH='ssh -i /etc/borg/id_ed25519 -o BatchMode=yes'
exec 9>/run/borg-run.lock
flock -n 9 || { echo "another backup is running" >&2; exit 0; }

rc=0
borg create --stats --compression zstd,6 --exclude-caches \
  --exclude '*/.cache' '::{hostname}-{now:%Y-%m-%dT%H:%M:%S}' /srv/files || rc=$?
# 1 is a warning (a file changed while it was read), 2 and more are errors.
if [ "$rc" -gt 1 ]; then exit "$rc"; fi
date -u +%FT%TZ > /var/lib/borg-last-success
EOF
bash -n borg-run

# 1. Packages, key pair and passphrase on files1; both secrets are made there, once.
pubkey=$(ssh files1 'sudo DEBIAN_FRONTEND=noninteractive bash -euo pipefail -s' <<'REMOTE'
command -v borg >/dev/null || { apt-get update -q; apt-get install -y -q borgbackup; } </dev/null >&2
install -d -m 0700 /etc/borg
umask 077
[ -s /etc/borg/passphrase ] || openssl rand -hex 32 > /etc/borg/passphrase
[ -s /etc/borg/id_ed25519 ] || ssh-keygen -q -t ed25519 -N '' -C borg@files1 -f /etc/borg/id_ed25519 </dev/null
cat /etc/borg/id_ed25519.pub
REMOTE
)
[[ $pubkey == ssh-ed25519\ * ]]

# 2. The key may only serve this repository, and only append to it. Pruning is done on backup1.
line="command=\"borg serve --append-only --restrict-to-repository /home/borg/files1\",restrict $pubkey"
printf '%s\n' "$line" | ssh backup1 'sudo -u borg bash -euo pipefail -c '\''
  umask 077
  read -r line
  mkdir -p ~borg/.ssh
  touch ~borg/.ssh/authorized_keys
  grep -qxF -- "$line" ~borg/.ssh/authorized_keys || printf "%s\n" "$line" >> ~borg/.ssh/authorized_keys
'\'''

# 3. Host key through the trusted admin connection, not over the open network.
hostkey=$(ssh backup1 'cut -d" " -f1,2 /etc/ssh/ssh_host_ed25519_key.pub')
printf 'backup1.internal %s\n' "$hostkey" | ssh files1 'sudo bash -euo pipefail -c '\''
  read -r k
  install -d -m 0700 /root/.ssh
  touch /root/.ssh/known_hosts
  grep -qxF -- "$k" /root/.ssh/known_hosts || printf "%s\n" "$k" >> /root/.ssh/known_hosts
'\'''

# 4. Program, cron entry, repository, first run.
ssh files1 'sudo install -o root -g root -m 0755 /dev/stdin /usr/local/sbin/borg-run' < borg-run
ssh files1 'sudo bash -euo pipefail -s' <<'REMOTE'
cat > /etc/cron.d/borg <<'CRON'
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
20 1 * * * root borg-run 2>&1 | logger -t borg
CRON
chmod 0644 /etc/cron.d/borg
export BORG_REPO=ssh://borg@backup1.internal/./files1
export BORG_PASSCOMMAND='cat /etc/borg/passphrase'
export BORG_RSH='ssh -i /etc/borg/id_ed25519 -o BatchMode=yes'
borg info >/dev/null 2>&1 </dev/null || borg init --encryption=repokey-blake2 </dev/null
borg-run </dev/null
borg list --last 1 </dev/null
REMOTE
