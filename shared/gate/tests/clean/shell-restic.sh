#!/usr/bin/env bash
# Sets up encrypted backups to S3 and tries to restore one
set -euo pipefail
: "${RESTIC_PASSWORD:?}" "${RESTIC_REPOSITORY:?}"
restic cat config >/dev/null 2>&1 || restic init
restic backup --tag nightly --exclude-caches ~/workspace/data
restic forget --tag nightly --keep-daily 7 --keep-weekly 5 --keep-monthly 12 --prune
restic check --read-data-subset=5%
restored=$(mktemp -d)
trap 'rm -rf -- "$restored"' EXIT
restic restore latest --tag nightly --target "$restored"
count=$(find "$restored" -type f | wc -l)
if ((count == 0)); then
  echo "The restored backup is empty" >&2
  exit 1
fi
diff --recursive --brief ~/workspace/data "$restored$HOME/workspace/data"
