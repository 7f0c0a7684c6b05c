#!/usr/bin/env bash
# Writes the pipeline of the repository and the settings of its tools
set -euo pipefail
repo=~/workspace/repository
mkdir -p "$repo/.github/workflows"
cat >"$repo/.github/workflows/check.yml" <<'EOF'
name: check
on:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-python@v6
        with:
          python-version: "3.13"
      - run: pip install --requirement requirements.txt
      - name: Test
        env:
          TOKEN: ${{ secrets.TEST_TOKEN }}
        run: |
          python -m pytest --quiet
EOF
cat >"$repo/requirements.txt" <<'EOF'
pytest==8.4.2
requests==2.32.5 ; python_version >= "3.9"
EOF
cat >"$repo/renovate.json" <<'EOF'
{"$schema": "https://docs.renovatebot.com/renovate-schema.json", "extends": ["config:recommended"]}
EOF
cd "$repo"
git init --quiet --initial-branch=main
git add --all
git diff --cached --quiet || git -c user.name=Groundcrew -c user.email=groundcrew@example.org commit --quiet --message 'Check each push'
git log --oneline -1
