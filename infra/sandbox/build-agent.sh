#!/usr/bin/env bash
# Compiles the sandbox agent for an architecture (Debian's name for it), on a machine of either architecture:
#   infra/sandbox/build-agent.sh arm64 /sandbox-agent
# To cross-compile, the machine needs a C compiler for the target (Debian's crossbuild-essential-arm64 or
# crossbuild-essential-amd64). PROFILE is the cargo profile, `release` by default.
set -euo pipefail
cd "$(dirname "$0")/../.."
architecture=$1 program=$2 profile=${PROFILE:-release}
case $architecture in
  amd64) machine=x86_64 ;;
  arm64) machine=aarch64 ;;
  *) echo "the agent is built for amd64 and arm64, not for $architecture" >&2; exit 1 ;;
esac
target=$machine-unknown-linux-gnu
if [ "$architecture" != "$(dpkg --print-architecture)" ]; then
  rustup target add "$target"
  compiler=$machine-linux-gnu-gcc
  name=${target//-/_}
  export "CC_$name=$compiler" "CARGO_TARGET_${name^^}_LINKER=$compiler"
fi
cargo build --locked --package sandbox-agent --target "$target" --profile "$profile"
install -D "${CARGO_TARGET_DIR:-target}/$target/${profile/#dev/debug}/sandbox-agent" "$program"
