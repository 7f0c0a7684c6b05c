#!/usr/bin/env bash
# Gets a certificate for @domain@ from Let's Encrypt, once the domain leads to the server
set -euo pipefail

address=$(ssh -F ssh/config -G @name@ | awk '$1 == "hostname" { print $2 }')
found=$(getent ahostsv4 '@domain@' | awk '{ print $1 }' | sort -u | paste -sd ' ') || true
if [[ " $found " != *" $address "* ]]; then
  echo "no DNS record: @domain@ leads to ${found:-nowhere}. Make an A record for it that leads to $address, wait until it is known, then run this step again." >&2
  exit 1
fi
echo "@domain@ leads to $address"

cd ansible
ANSIBLE_NOCOLOR=1 ansible-playbook certificate.yml
