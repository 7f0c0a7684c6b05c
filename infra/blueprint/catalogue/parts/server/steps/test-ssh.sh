#!/usr/bin/env bash
# Logs in to @name@ over SSH and asks it who it is
set -euo pipefail

if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py
fi
ip=$(terraform -chdir=terraform output -raw public_ip)
user=$(terraform -chdir=terraform output -raw ssh_user)
key=$PWD/ssh/@name@_ed25519
known_hosts=$PWD/ssh/known_hosts
options=(-i "$key" -o IdentitiesOnly=yes -o BatchMode=yes -o ConnectTimeout=5
  -o StrictHostKeyChecking=accept-new -o "UserKnownHostsFile=$known_hosts")

# A new server takes a while to accept logins, and a login to one that is still busy may hang. It restarts sshd during its
# first start, so a login counts only when that is over.
started='command -v cloud-init >/dev/null || exit 0
  timeout 20 cloud-init status --wait >/dev/null 2>&1
  [ $? != 124 ] || { echo "its first start is not over" >&2; exit 1; }'
limit=300
until=$((SECONDS + limit))
reason=""
for ((attempt = 1; ; attempt++)); do
  if timeout 30 ssh "${options[@]}" -o LogLevel=ERROR "$user@$ip" "$started" 2>ssh/last-error; then
    break
  fi
  if ((SECONDS >= until)); then
    echo "no SSH login at $user@$ip within $limit seconds:" >&2
    cat ssh/last-error >&2
    exit 1
  fi
  last=$(tail -n 1 ssh/last-error | tr -d '\r')
  if [[ ${last:=no answer within 30 seconds} != "$reason" ]]; then
    reason=$last
    echo "Attempt $attempt: $reason; trying again every 5 seconds"
  fi
  sleep 5
done
rm -f ssh/last-error
echo "Logged in after $attempt attempt(s):"
ssh "${options[@]}" "$user@$ip" 'hostname; uname -sr; . /etc/os-release; echo "$PRETTY_NAME"; df -h /'

# For everything that follows: one file for ssh, one for Ansible.
cat >ssh/config <<CONFIG
Host server @name@
  HostName $ip
  User $user
  IdentityFile "$key"
  IdentitiesOnly yes
  BatchMode yes
  ConnectTimeout 10
  StrictHostKeyChecking accept-new
  UserKnownHostsFile "$known_hosts"
CONFIG
chmod 600 ssh/config

mkdir -p ansible
cat >ansible/inventory.ini <<INVENTORY
[servers]
@name@ ansible_host=$ip ansible_user=$user ansible_ssh_private_key_file='$key' ansible_ssh_common_args='-o IdentitiesOnly=yes -o UserKnownHostsFile="$known_hosts"'
INVENTORY
if command -v ansible >/dev/null; then
  ansible --inventory ansible/inventory.ini all --module-name ansible.builtin.ping
else
  echo "Ansible is not available here; its inventory was written to ansible/inventory.ini"
fi

echo
echo "Server @name@ has the address $ip"
echo "Log in from this workspace with:"
echo "  ssh -F ssh/config @name@"
