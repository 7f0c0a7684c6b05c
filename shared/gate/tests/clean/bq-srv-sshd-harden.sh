#!/usr/bin/env bash
# SSH of the server: keys only, no root, one group; the file is checked before and after the reload.
set -euo pipefail

readonly host=server
readonly group=ssh-users

remote_user=$(ssh "$host" id -un)
[[ $remote_user != root ]] || { echo 'log in as your own user, root will be locked out' >&2; exit 1; }
ssh "$host" 'test -s ~/.ssh/authorized_keys' || { echo 'no key on the server yet' >&2; exit 1; }

# Arguments of the remote script: the user and the group.
# shellcheck disable=SC2029 # expanded here on purpose, quoted by printf %q
ssh "$host" "sudo bash -euo pipefail -s -- $(printf '%q %q' "$remote_user" "$group")" <<'EOF'
user=$1 group=$2
target=/etc/ssh/sshd_config.d/10-shop.conf

getent group "$group" > /dev/null || groupadd --system "$group"
id -nG "$user" | tr ' ' '\n' | grep -Fxq "$group" || usermod -aG "$group" "$user"

grep -Eq '^[[:space:]]*Include[[:space:]]+/etc/ssh/sshd_config\.d/\*\.conf' /etc/ssh/sshd_config || {
  echo 'sshd_config does not include sshd_config.d' >&2
  exit 1
}

new=$(mktemp)
trap 'rm -f "$new"' EXIT
cat > "$new" <<CONF
PermitRootLogin no
PasswordAuthentication no
KbdInteractiveAuthentication no
PubkeyAuthentication yes
AllowGroups $group
MaxAuthTries 4
LoginGraceTime 30
X11Forwarding no
AllowAgentForwarding no
ClientAliveInterval 300
ClientAliveCountMax 2
CONF

if cmp -s "$new" "$target"; then
  echo 'sshd is configured already'
  exit 0
fi

old=
if [[ -f $target ]]; then
  old=$(mktemp)
  cp -a "$target" "$old"
fi
restore() {
  if [[ -n $old ]]; then cp -a "$old" "$target"; else rm -f "$target"; fi
}

install -o root -g root -m 0644 "$new" "$target"
if ! sshd -t; then
  restore
  exit 1
fi
effective=$(sshd -T)
for want in 'permitrootlogin no' 'passwordauthentication no' "allowgroups $group"; do
  if ! grep -Fxq "$want" <<< "$effective"; then
    echo "not in effect: $want" >&2
    restore
    exit 1
  fi
done
systemctl reload ssh
[[ -z $old ]] || rm -f "$old"
EOF

ssh -o ControlPath=none -o PreferredAuthentications=publickey "$host" true
methods=$(ssh -o ControlPath=none -o PreferredAuthentications=none -o BatchMode=yes "$host" true 2>&1 || true)
if [[ $methods == *password* ]]; then
  echo "the server still offers passwords: $methods" >&2
  exit 1
fi
