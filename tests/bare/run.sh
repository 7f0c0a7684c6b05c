#!/usr/bin/env bash
# Runs the README's commands on a bare Debian with Rust, Node, git and a C compiler, so that nothing works only because a
# developer's machine happens to have it. mmdebstrap creates the system from this machine's package sources. Rust, Node and
# the caches of cargo and npm are mounted into it, with an overlay over the existing build, so that cargo compiles nothing
# twice. Needs root; the system and the overlay are removed at the end.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd -P)
target=${CARGO_TARGET_DIR:-$root/target}
cargo_home=${CARGO_HOME:-$HOME/.cargo}
cd "$root"

share() { # <a folder or file of this machine> <where>: if this machine has it
  [ -e "$1" ] || return 0
  if [ -d "$1" ]; then mkdir -p "$bare$2"; else mkdir -p "$(dirname "$bare$2")" && touch "$bare$2"; fi
  mount --bind "$1" "$bare$2"
}

# The repository as git sees it, including uncommitted changes. cargo compares modification times, so files and folders keep
# theirs.
copy_repository() {
  mkdir -p "$bare$root"
  git ls-files -z --cached --others --exclude-standard |
    xargs -0 cp --parents --preserve=mode,timestamps --target-directory="$bare$root"
  find "$bare$root" -type d | while read -r folder; do touch --reference="${folder#"$bare"}" "$folder"; done
  git -C "$bare$root" init --quiet --initial-branch=main
  git -C "$bare$root" add --all
}

lay_over_target() {
  mkdir -p "$changes/upper" "$changes/work" "$bare$target"
  mount -t overlay overlay -o "lowerdir=$target,upperdir=$changes/upper,workdir=$changes/work" "$bare$target"
}

# Runs in separate namespaces, so that the mounts made here end with them.
if [ "${1:-}" = inside ]; then
  bare=$2 changes=$3
  mount --bind "$bare" "$bare"
  if [ "${4:-}" = try ]; then
    lay_over_target
    exit
  fi
  copy_repository
  lay_over_target
  # The stamps of this machine's npm packages and web build, which are not in the repository.
  rm -rf "${bare:?}$target/dev"
  share "$(rustc --print sysroot)" /opt/rust
  node=$(readlink -f "$(command -v node)") npm=$(readlink -f "$(command -v npm)")
  share "$node" /opt/node/bin/node
  share "$(dirname "$(dirname "$npm")")" /opt/node/lib/npm
  ln -s ../lib/npm/bin/npm-cli.js "$bare/opt/node/bin/npm"
  ln -s ../lib/npm/bin/npx-cli.js "$bare/opt/node/bin/npx"
  share "$cargo_home/registry" "$cargo_home/registry"
  mkdir -p "$bare$HOME"
  share "${npm_config_cache:-$HOME/.npm}" "$HOME/.npm"
  # This machine's settings for reaching the registries.
  cp /etc/resolv.conf /etc/hosts "$bare/etc/"
  cp --recursive /etc/apt/apt.conf.d "$bare/etc/apt/"
  cp /etc/ssl/certs/ca-certificates.crt "$bare/etc/ssl/certs/"
  for file in "$cargo_home/config.toml" "$HOME/.npmrc"; do
    [ ! -e "$file" ] || cp "$file" "$bare$file"
  done
  # Packages that contain a service do not start it here.
  printf '#!/bin/sh\nexit 101\n' >"$bare/usr/sbin/policy-rc.d"
  chmod +x "$bare/usr/sbin/policy-rc.d"
  mount --rbind /dev "$bare/dev"
  mount --rbind /sys "$bare/sys"
  mount -t proc proc "$bare/proc"
  # Sandboxes need a root mount in their own namespace, which `chroot` alone does not provide.
  cd "$bare"
  pivot_root . mnt
  environment=(HOME="$HOME" LANG=C.UTF-8 CARGO_HOME="$cargo_home" npm_config_prefer_offline=true
    PATH=/opt/rust/bin:/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  for name in CARGO_TARGET_DIR CARGO_INCREMENTAL CARGO_PROFILE_DEV_DEBUG RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS NODE_EXTRA_CA_CERTS {HTTP,HTTPS,NO}_PROXY {http,https,no}_proxy; do
    [ -z "${!name:-}" ] || environment+=("$name=${!name}")
  done
  # shellcheck disable=SC2016
  exec chroot . env --ignore-environment "${environment[@]}" bash -euo pipefail -c 'umount --lazy /mnt
    cd "$1"
    cargo dev readme
    cargo dev test --prepare
    cargo dev test --only format --only shell' bare "$root"
fi

skip() {
  [ -z "${CI:-}" ] || { echo "$1"; exit 1; }
  echo "SKIPPED: $1"
  exit
}
command -v mmdebstrap >/dev/null || skip "mmdebstrap is missing (sudo apt-get install mmdebstrap)"
[ "$EUID" = 0 ] || skip "creating a bare Debian needs root (mounts, packages)"
sources=/etc/apt/sources.list.d/debian.sources
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
[[ -n $release && -f $sources ]] || skip "this machine has no Debian package sources"

isolated=(unshare --mount --pid --fork --kill-child)
# The overlay's upper folder cannot itself lie on an overlay, such as a container's own file system.
for place in "$target" "${TMPDIR:-/var/tmp}"; do
  changes=$(mktemp -d "$place/bare.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf --one-file-system '$changes'" EXIT
  chmod 755 "$changes" # for apt, which downloads as a separate user
  mkdir "$changes/try"
  if reason=$("${isolated[@]}" "$0" inside "$changes/try" "$changes" try 2>&1); then
    rm -rf "$changes/upper" "$changes/work"
    begun=$SECONDS
    mmdebstrap --quiet --variant=apt --include=ca-certificates,gcc,g++,make,libc6-dev,git,mount \
      --dpkgopt=force-unsafe-io "$release" "$changes/system" "$sources"
    echo "created Debian $release in $((SECONDS - begun)) s"
    "${isolated[@]}" "$0" inside "$changes/system" "$changes"
    exit
  fi
  rm -rf --one-file-system "$changes"
  trap - EXIT
done
skip "this machine refuses the mounts: $reason"
