#!/usr/bin/env bash
# GitHub Actions for the shop: test, build, push, deploy by SSH. Written into the repository.
set -euo pipefail

: "${REPO_DIR:?set REPO_DIR to the checkout of the shop}"
cd "$REPO_DIR"
git rev-parse --is-inside-work-tree > /dev/null
mkdir -p .github/workflows

cat > .dockerignore <<'EOF'
.git
.env
*.pem
EOF

cat > Dockerfile <<'EOF'
FROM python:3.12.7-slim-bookworm
WORKDIR /app
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY shop ./shop
RUN useradd --system --uid 10001 shop
USER 10001
EXPOSE 8080
CMD ["gunicorn", "--bind", "0.0.0.0:8080", "shop.wsgi:app"]
EOF

cat > .github/workflows/deploy.yml <<'EOF'
name: deploy
on:
  push:
    branches: [main]

permissions:
  contents: read

concurrency:
  group: deploy
  cancel-in-progress: false

env:
  IMAGE: ghcr.io/${{ github.repository }}

jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-python@0b93645e9fea7318ecaed2b359559ac225c90a2b # v5.3.0
        with:
          python-version: "3.12"
          cache: pip
      - run: pip install --require-hashes -r requirements.txt
      - run: python -m unittest discover -v

  build:
    needs: test
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      packages: write
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: docker/setup-buildx-action@c47758b77c9736f4b2ef4073d4d51994fabfe349 # v3.7.1
      - uses: docker/login-action@9780b0c442fbb1117ed29e0efdff1e18412f7567 # v3.3.0
        with:
          registry: ghcr.io
          username: ${{ github.actor }}
          password: ${{ secrets.GITHUB_TOKEN }}
      - uses: docker/build-push-action@4f58ea79222b3b9dc2c8bbdd6debcef730109a75 # v6.9.0
        with:
          context: .
          push: true
          tags: ${{ env.IMAGE }}:${{ github.sha }}

  deploy:
    needs: build
    runs-on: ubuntu-24.04
    environment: production
    steps:
      - name: Key and known host
        env:
          SSH_KEY: ${{ secrets.DEPLOY_SSH_KEY }}
          KNOWN_HOSTS: ${{ vars.DEPLOY_KNOWN_HOSTS }}
        run: |
          install -d -m 0700 ~/.ssh
          (umask 077 && printf '%s\n' "$SSH_KEY" > ~/.ssh/id_ed25519)
          printf '%s\n' "$KNOWN_HOSTS" > ~/.ssh/known_hosts
      - name: Deploy
        env:
          TARGET: ${{ vars.DEPLOY_TARGET }}
        run: ssh -o BatchMode=yes "$TARGET" sudo /usr/local/sbin/deploy-shop "$IMAGE:$GITHUB_SHA"
      - name: The shop answers
        env:
          URL: ${{ vars.SHOP_URL }}
        run: curl -fsS --retry 10 --retry-delay 3 --retry-all-errors -o /dev/null "$URL/health"
EOF

# Proof: valid YAML, and every action is pinned by a full commit id.
python3 -c 'import sys, yaml; d = yaml.safe_load(open(sys.argv[1])); assert set(d["jobs"]) == {"test", "build", "deploy"}' \
  .github/workflows/deploy.yml
if grep -E '^ *- uses:' .github/workflows/deploy.yml | grep -Ev '@[0-9a-f]{40}( |$)'; then
  echo "an action is not pinned" >&2
  exit 1
fi
