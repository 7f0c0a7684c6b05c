#!/usr/bin/env bash
# Lists the tools of the sandbox image with their versions, as JSON. The Dockerfile runs it in the image and stores its
# output as /etc/groundcrew/tools.json. A tool that does not report its version fails the build.
set -euo pipefail

# said NAME COMMAND...: the first text in COMMAND's output that looks like a version
said() {
  local name=$1 version
  shift
  version=$("$@" 2>&1 | grep -oE '[0-9]+(\.[0-9]+)*([a-z]+[0-9]+)?' | head -n 1) || true
  if [ -z "$version" ]; then
    echo "tools.sh: $name reports no version" >&2
    exit 1
  fi
  jq --null-input --compact-output --arg name "$name" --arg version "$version" '{name: $name, version: $version}'
}

# These programs print no version; Debian's package database has it.
packaged() {
  # shellcheck disable=SC2016 # dpkg-query expands it
  said "$1" dpkg-query --showformat='${source:Upstream-Version}' --show "$2"
}

{
  said terraform terraform version
  said ansible-core ansible --version
  said ansible-lint ansible-lint --offline --version
  said aws aws --version
  said docker docker --version
  said 'docker compose' docker compose version
  said 'docker buildx' docker buildx version
  said git git --version
  said ssh ssh -V
  said jq jq --version
  said shellcheck shellcheck --version
  said python3 python3 --version
  said pip pip --version
  said curl curl --version
  said rsync rsync --version
  said bash bash --version
  said man man --version
  packaged dig bind9-dnsutils
  packaged ping iputils-ping
  packaged ip iproute2
  packaged unzip unzip
  packaged zip zip
} | jq --slurp --arg architecture "$(dpkg --print-architecture)" \
  --arg system "$(sed -n 's/^PRETTY_NAME="\(.*\)"$/\1/p' /etc/os-release)" \
  '{system: $system, architecture: $architecture, ansible_collections: ["ansible.builtin"], tools: .}'
