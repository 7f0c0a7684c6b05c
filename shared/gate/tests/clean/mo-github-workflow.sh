#!/usr/bin/env bash
# Image and workflow for the API service.
set -euo pipefail

root=$(git rev-parse --show-toplevel)
cd "$root"
mkdir -p .github/workflows

cat > Dockerfile <<'EOF'
FROM python:3.12.8-slim-bookworm AS build
WORKDIR /src
COPY requirements.txt .
RUN pip install --no-cache-dir --prefix=/install -r requirements.txt

FROM python:3.12.8-slim-bookworm
RUN useradd --system --uid 10001 app
COPY --from=build /install /usr/local
WORKDIR /app
COPY . .
USER app
EXPOSE 8000
CMD ["gunicorn", "--bind", "0.0.0.0:8000", "api.wsgi:application"]
EOF

cat > .dockerignore <<'EOF'
.git
.env
**/__pycache__
EOF

cat > .github/workflows/ci.yml <<'EOF'
name: ci
on:
  push:
    branches: [main]
  pull_request:
  schedule:
    - cron: "0 4 * * 1"

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    services:
      postgres:
        image: postgres:16.6
        env:
          POSTGRES_PASSWORD: ci
        ports:
          - 5432:5432
        options: >-
          --health-cmd pg_isready
          --health-interval 5s
          --health-retries 10
    steps:
      - uses: actions/checkout@v4.2.2
      - uses: actions/setup-python@v5.3.0
        with:
          python-version: "3.12"
          cache: pip
      - run: pip install -r requirements.txt
      - run: python -m pytest -q
        env:
          DATABASE_URL: postgresql://postgres:ci@localhost:5432/postgres

  image:
    needs: test
    if: github.event_name == 'push'
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      packages: write
    steps:
      - uses: actions/checkout@v4.2.2
      - uses: docker/login-action@v3.3.0
        with:
          registry: ghcr.io
          username: ${{ github.actor }}
          password: ${{ secrets.GITHUB_TOKEN }}
      - uses: docker/build-push-action@v6.10.0
        with:
          context: .
          push: true
          tags: ghcr.io/${{ github.repository }}:${{ github.sha }}
EOF

python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' .github/workflows/ci.yml
docker build --tag api:ci .
