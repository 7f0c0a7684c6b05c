# The server is as the playbook says
ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
settings=$(sudo sshd -T)
grep --line-regexp 'passwordauthentication no' <<<"$settings"
firewall=$(sudo ufw status)
grep --fixed-strings 'Status: active' <<<"$firewall"
failed=$(systemctl list-units --state=failed --plain --no-legend)
if [[ -n $failed ]]; then
  echo "failed units: $failed" >&2
  exit 1
fi
@proof_on_server@
REMOTE
echo "Proved: @name@ is hardened, its firewall is active and no service has failed"
