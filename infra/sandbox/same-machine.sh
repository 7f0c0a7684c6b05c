#!/usr/bin/env bash
# Fails unless each of the given programs is for the same processor as bash. The Dockerfile checks the programs that do
# not come from Debian: a machine that builds under an emulator would run a program of the wrong architecture too, and
# only Fargate would reject it.
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
