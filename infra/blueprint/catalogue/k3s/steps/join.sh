#!/usr/bin/env bash
# Joins the other servers of @name@ to the cluster
set -euo pipefail

if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py
fi
if [[ ! -s ansible/inventory.ini ]]; then
  echo "no inventory: step 6 writes it" >&2
  exit 1
fi
planned=@servers@
found=$(terraform -chdir=terraform output -json agent_ips)
listed=$(python3 -c 'import ipaddress, json, sys; [print(ipaddress.IPv4Address(one)) for one in json.loads(sys.argv[1])]' "$found")
addresses=()
if [[ -n $listed ]]; then
  mapfile -t addresses <<<"$listed"
fi
if ((${#addresses[@]} + 1 != planned)); then
  echo "Terraform knows $((${#addresses[@]} + 1)) servers, and $planned are planned: run the steps that plan and apply again" >&2
  exit 1
fi

# The first server's part of both files stays as step 6 wrote it.
sed -i '/^# The other servers/,$d' ssh/config
cp ansible/inventory.ini ansible/cluster.ini
{
  echo "# The other servers"
  for at in "${!addresses[@]}"; do
    printf 'Host @name@-%s\n  HostName %s\n' "$((at + 2))" "${addresses[at]}"
    sed '1d; /^  HostName /d' ssh/config
  done
} >ssh/config.more
printf '\n[agents]\n' >>ansible/cluster.ini
for at in "${!addresses[@]}"; do
  sed -n "s/^@name@ ansible_host=[0-9.]*/@name@-$((at + 2)) ansible_host=${addresses[at]}/p" ansible/inventory.ini >>ansible/cluster.ini
done
cat ssh/config.more >>ssh/config
rm ssh/config.more

if ((${#addresses[@]} == 0)); then
  echo "The cluster has one server: there is nothing to join."
  exit 0
fi
attempts=30
for at in "${!addresses[@]}"; do
  for ((attempt = 1; ; attempt++)); do
    if ssh -F ssh/config "@name@-$((at + 2))" true; then
      break
    fi
    if ((attempt == attempts)); then
      echo "no SSH login at ${addresses[at]} after $attempts attempts" >&2
      exit 1
    fi
    sleep 5
  done
done
cd ansible
ANSIBLE_NOCOLOR=1 ansible-playbook --inventory cluster.ini cluster.yml
