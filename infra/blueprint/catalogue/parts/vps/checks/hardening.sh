#!/usr/bin/env bash
# Compares SSH, firewall and updates on the server with the plan
set -euo pipefail

# If SSH is closed to this sandbox, this check cannot judge the server.
if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py || exit 75
fi

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
settings=$(sudo sshd -T)
for setting in 'permitrootlogin no' 'passwordauthentication no' 'kbdinteractiveauthentication no'; do
  grep -qx "$setting" <<<"$settings" || { echo "sshd lacks: $setting" >&2; exit 1; }
  echo "sshd: $setting"
done
firewall=$(sudo ufw status verbose)
for part in 'Status: active' 'deny (incoming)' '22/tcp'; do
  grep -qF "$part" <<<"$firewall" || { echo "ufw lacks: $part" >&2; exit 1; }
done
echo "$firewall"
systemctl is-enabled --quiet unattended-upgrades
sudo unattended-upgrade --dry-run
echo "unattended upgrades: on, the dry run works"
failed=$(systemctl list-units --state=failed --plain --no-legend)
[[ -z $failed ]] || { echo "failed units: $failed" >&2; exit 1; }
echo "failed units: none"
REMOTE
echo "Verified: no root login, no passwords, ufw active and refusing, updates install themselves, no failed unit"
