#!/usr/bin/env bash
set -euo pipefail

mkdir -p repo/.github/workflows && cd repo
git init -q
cat > .github/workflows/ci.yml <<'EOF'
name: ci
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  meta:
    runs-on: ubuntu-24.04
    outputs:
      version: ${{ steps.v.outputs.version }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - id: v
        run: echo "version=$(cat VERSION)" >> "$GITHUB_OUTPUT"
  test:
    needs: [meta]
    runs-on: ${{ matrix.os }}
    strategy:
      fail-fast: false
      matrix:
        os: [ubuntu-24.04]
        node: [20, 22]
        include:
          - os: macos-14
            node: 22
            extra: "--reporter=spec"
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: actions/setup-node@39370e3970a6d050c480ffad4ff0ed4d3fdee5af # v4.1.0
        with:
          node-version: ${{ matrix.node }}
      - run: node --test ${{ matrix.extra }}
        env:
          APP_VERSION: ${{ needs.meta.outputs.version }}
          TOKEN: ${{ secrets.CI_TOKEN }}
EOF
echo 1.0.0 > VERSION
git add -A
git -c user.name=ci -c user.email=ci@example.com commit -qm 'Add the workflow'
git show --stat HEAD -- .github/workflows/ci.yml | grep -q ci.yml
