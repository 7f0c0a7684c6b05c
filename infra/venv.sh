#!/usr/bin/env bash
# Creates a Python environment, and recreates it when its requirements change:
# `infra/venv.sh FOLDER REQUIREMENTS [pip's options]`.
set -euo pipefail
folder=$1 requirements=$2
shift 2
# Tests that need the same one run side by side; the first creates it.
mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock"
flock 9
wanted=$(sha256sum "$requirements" | cut -d' ' -f1)
if [ "$(cat "$folder/.requirements" 2>/dev/null)" = "$wanted" ]; then exit 0; fi
"$(dirname "$0")/pip-install.sh" "$folder" --no-deps "$@" -r "$requirements"
echo "$wanted" > "$folder/.requirements"
