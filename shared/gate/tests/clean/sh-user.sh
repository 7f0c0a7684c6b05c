#!/usr/bin/env bash
# Makes a user for deployments with its key and one right
set -euo pipefail
name=deploy
key="$HOME/workspace/keys/deploy.pub"
[ -s "$key" ] || { echo "$key is missing" >&2; exit 1; }
if ! id "$name" >/dev/null 2>&1; then
  sudo useradd --create-home --shell /bin/bash "$name"
fi
sudo install -d -o "$name" -g "$name" -m 0700 "/home/$name/.ssh"
sudo install -o "$name" -g "$name" -m 0600 "$key" "/home/$name/.ssh/authorized_keys"
sudo install -d -o "$name" -g www-data -m 2750 /srv/shop
rules=$(mktemp)
trap 'rm -f "$rules"' EXIT
printf '%s ALL=(root) NOPASSWD: /usr/bin/systemctl reload nginx\n' "$name" >"$rules"
visudo -cf "$rules"
sudo install -o root -g root -m 0440 "$rules" "/etc/sudoers.d/$name"
echo "vm.swappiness = 10" | sudo tee /etc/sysctl.d/60-swap.conf >/dev/null
sudo sysctl --system >/dev/null
