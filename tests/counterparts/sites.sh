#!/usr/bin/env bash
# Sets up the blueprint model's nginx, WordPress and Django on a Debian server with systemd and OpenSSH, in a container,
# and adds Redis to one, changes it and removes it. Needs root and Docker, and what the blueprint model's tests need.
set -euo pipefail
cd "$(dirname "$0")/../.."

if cargo nextest --version >/dev/null 2>&1; then
  exec cargo nextest run --workspace --test suite --run-ignored only --no-fail-fast -E 'test(/^real_(server|sites)::/)'
fi
exec cargo test --workspace --test suite --no-fail-fast -- --ignored real_server:: real_sites::
