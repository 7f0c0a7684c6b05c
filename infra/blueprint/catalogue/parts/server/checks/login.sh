#!/usr/bin/env bash
# Logs in with the key, and makes sure that there is no way in without it
set -euo pipefail

# If SSH is closed to this sandbox, this check cannot judge the server.
if [[ -s ssh/still-let-in.py ]]; then
  python3 ssh/still-let-in.py || exit 75
fi

said=$(ssh -F ssh/config @name@ 'hostname; uptime -p; . /etc/os-release; echo "$PRETTY_NAME"')
echo "$said"

# No key, no agent, no password prompt: what is left must not let us in.
if refused=$(ssh -F ssh/config -o IdentityFile=none -o IdentityAgent=none -o PubkeyAuthentication=no \
  -o NumberOfPasswordPrompts=0 @name@ true 2>&1); then
  echo "the server lets in without a key" >&2
  exit 1
fi
echo "without the key: $refused"
case $refused in
  *publickey*password* | *password*publickey* | *keyboard-interactive*)
    echo "the server offers logins by password" >&2
    exit 1
    ;;
  *"Permission denied"*) ;;
  *)
    echo "the login without a key failed for another reason than being refused" >&2
    exit 1
    ;;
esac
echo "Verified: the key logs in to $(head -n 1 <<<"$said"), and nothing else does"
