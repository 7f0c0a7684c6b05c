#!/usr/bin/env bash
# Creates a Python environment anew and installs packages into it: `infra/pip-install.sh FOLDER [pip's arguments]`.
# uv does it with a tenth of pip's processor time. pip does it where uv cannot: on a platform without a wheel of uv, or
# where only pip's configuration, which uv does not read, leads to an index. As pip does, uv compiles what it installs: a
# tool that runs where it cannot write, as in a sandbox, would otherwise compile all of itself at each start.
set -euo pipefail
folder=$1
shift
target=$(cd "$(dirname "$0")/.." && pwd -P)/target
uv=$target/uv/bin/uv uv_version=0.13.9

mkdir -p "$target"
# Scripts run side by side; the first one gets uv, the others wait for it.
exec 8>"$target/.uv.lock"
flock 8
if [ "$("$uv" --version 2>/dev/null | cut -d' ' -f2)" != "$uv_version" ]; then
  python3 -m venv --clear "$target/uv"
  "$target/uv/bin/pip" install --quiet --disable-pip-version-check "uv==$uv_version" ||
    echo "uv $uv_version cannot be installed; pip installs $folder" >&2
fi
flock --unlock 8

rm -rf "$folder"
if [ -x "$uv" ] && "$uv" venv --quiet --no-project --python "$(command -v python3)" "$folder" &&
  "$uv" pip install --quiet --compile-bytecode --python "$folder/bin/python" "$@"; then
  exit
fi
python3 -m venv --clear "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "$@"
