#!/usr/bin/env bash
# Gets the tools with which the tests check what the model writes, into target/blueprint-tools:
# ansible-core and ansible-lint in the versions of infra/requirements-sam.txt, and Docker Compose from
# Debian's package (only its `config` is used) if it is not installed and can be downloaded.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=target/blueprint-tools
mkdir -p "$tools"
# Tests run side by side; the first one gets the tools, the others wait for it.
exec 9>"$tools/.lock"
flock 9

wanted=$(cat infra/requirements-sam.txt infra/blueprint/tools.sh | sha256sum | cut -d" " -f1)
if [ "$(cat "$tools/.wanted" 2>/dev/null)" = "$wanted" ]; then exit 0; fi

infra/pip-install.sh "$tools/venv" --constraint infra/requirements-sam.txt ansible-core ansible-lint jsonschema

compose_sha=47681197cb2b1ab88206b42a1a92fc75f50d9530a6322d03494a473eed0408ea
compose_url=https://deb.debian.org/debian/pool/main/d/docker-compose/docker-compose_2.26.1-4_amd64.deb
if ! docker compose version >/dev/null 2>&1 && [ "$(uname -m)" = x86_64 ] && command -v dpkg-deb >/dev/null &&
  curl --fail --silent --location --max-time 120 --output "$tools/compose.deb" "$compose_url"; then
  echo "$compose_sha  $tools/compose.deb" | sha256sum --check --quiet
  dpkg-deb --extract "$tools/compose.deb" "$tools/compose"
  cp "$tools/compose/usr/libexec/docker/cli-plugins/docker-compose" "$tools/docker-compose"
  rm -rf "$tools/compose" "$tools/compose.deb"
fi
echo "$wanted" >"$tools/.wanted"
