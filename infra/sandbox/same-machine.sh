#!/usr/bin/env bash
# Fails unless each of these programs is for the same processor as bash. The Dockerfile asks it about those that do not
# come from Debian: a machine that builds under an emulator would start a program of the wrong architecture as well, and
# only Fargate would refuse it.
set -euo pipefail
# The field e_machine of an ELF file.
machine() {
  od --address-radix=n --skip-bytes=18 --read-bytes=2 --format=x2 "$1"
}
for program in "$@"; do
  if [ "$(machine "$program")" != "$(machine "$BASH")" ]; then
    echo "$program is for another processor than this system" >&2
    exit 1
  fi
done
