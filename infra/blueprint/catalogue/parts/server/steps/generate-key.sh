#!/usr/bin/env bash
# Makes the SSH key pair for @name@, once
set -euo pipefail

umask 077
mkdir -p ssh
key=ssh/@name@_ed25519

if [[ -s $key ]]; then
  echo "The key is there already and is kept: replacing it would lock us out of a running server."
else
  ssh-keygen -q -t ed25519 -N '' -C '@name@' -f "$key"
fi
# The public half follows from the private one, so a lost or mixed-up file is mended here.
ssh-keygen -y -f "$key" >"$key.pub"

ssh-keygen -l -f "$key.pub"
ls -l "$key" "$key.pub"
