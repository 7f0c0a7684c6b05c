#!/usr/bin/env bash
# Write the GitHub Actions workflow: test matrix on pull requests, image build and push to GHCR for version tags; commit it.
set -euo pipefail

mkdir -p .github/workflows
cat > .github/workflows/ci.yml <<'EOF'
name: ci

on:
  pull_request:
  push:
    branches: [main]
    tags: ["v[0-9]+.[0-9]+.[0-9]+"]

permissions:
  contents: read

concurrency:
  group: ci-${{ github.ref }}
  cancel-in-progress: ${{ github.event_name == 'pull_request' }}

jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    strategy:
      fail-fast: false
      matrix:
        python: ["3.11", "3.12", "3.13"]
        database: ["postgres:15.10-alpine3.20", "postgres:16.6-alpine3.20"]
    services:
      db:
        image: ${{ matrix.database }}
        env:
          # Lives for the time of this job only, on the runner's own network.
          POSTGRES_PASSWORD: ci-${{ github.run_id }}
        ports: ["5432:5432"]
        options: >-
          --health-cmd "pg_isready -U postgres"
          --health-interval 5s
          --health-timeout 3s
          --health-retries 10
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-python@v5.3.0
        with:
          python-version: ${{ matrix.python }}
          cache: pip
      - run: pip install -r requirements.txt -r requirements-dev.txt
      - run: pytest -q
        env:
          DATABASE_URL: postgresql://postgres:ci-${{ github.run_id }}@localhost:5432/postgres

  image:
    needs: test
    if: startsWith(github.ref, 'refs/tags/v')
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions:
      contents: read
      packages: write
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: docker/setup-buildx-action@v3.8.0
      - uses: docker/login-action@v3.3.0
        with:
          registry: ghcr.io
          username: ${{ github.actor }}
          password: ${{ secrets.GITHUB_TOKEN }}
      - uses: docker/metadata-action@v5.6.1
        id: meta
        with:
          images: ghcr.io/${{ github.repository }}
          flavor: latest=false
          tags: type=semver,pattern={{version}}
      - uses: docker/build-push-action@v6.10.0
        with:
          context: .
          push: true
          tags: ${{ steps.meta.outputs.tags }}
          labels: ${{ steps.meta.outputs.labels }}
          cache-from: type=gha
          cache-to: type=gha,mode=max
EOF

python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' .github/workflows/ci.yml
if command -v actionlint >/dev/null; then
  actionlint .github/workflows/ci.yml
fi

git add .github/workflows/ci.yml
if git diff --cached --quiet -- .github/workflows/ci.yml; then
  echo "workflow unchanged"
else
  git commit -q -m "ci: test matrix and image build" -- .github/workflows/ci.yml
fi
