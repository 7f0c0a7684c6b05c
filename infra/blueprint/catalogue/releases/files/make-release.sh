#!/usr/bin/env bash
# Releases a folder, app/ if none is named, without losing a request: ./release.sh [FOLDER]
# The release is named by the checksum of its files, so that the same files are never released twice.
set -euo pipefail
cd "$(dirname "$0")"

folder=${1:-app}
if [[ ! -x $folder/run ]]; then
  echo "$folder/run is missing or not executable" >&2
  exit 1
fi
name=$(cd "$folder" && find . -type f -printf '%P\0%m\0' -exec sha256sum --zero {} \; | sort --zero-terminated | sha256sum | cut -c 1-12)
tar --create --sort=name --owner=root --group=root --directory "$folder" . |
  ssh -F ssh/config @name@ sudo release new "$name"
