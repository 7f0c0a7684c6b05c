#!/usr/bin/env bash
# GitLab CI for the shop: lint, test, image, deploy. Written into the repository and checked by GitLab.
set -euo pipefail

: "${REPO_DIR:?set REPO_DIR to the checkout of the shop}"
: "${GITLAB_URL:?set GITLAB_URL, e.g. https://gitlab.example}"
: "${GITLAB_PROJECT_ID:?set GITLAB_PROJECT_ID}"
: "${GITLAB_TOKEN:?set GITLAB_TOKEN}"
cd "$REPO_DIR"
git rev-parse --is-inside-work-tree > /dev/null

cat > .gitlab-ci.yml <<'EOF'
stages: [lint, test, build, deploy]

workflow:
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"

variables:
  IMAGE: $CI_REGISTRY_IMAGE:$CI_COMMIT_SHA
  PIP_CACHE_DIR: $CI_PROJECT_DIR/.cache/pip

.python:
  image: python:3.12.7-slim-bookworm
  cache:
    key:
      files: [requirements.txt]
    paths: [.cache/pip]

lint:
  extends: .python
  stage: lint
  script:
    - pip install ruff==0.8.0
    - ruff check .

test:
  extends: .python
  stage: test
  services:
    - name: postgres:16.6-alpine
      alias: db
  variables:
    POSTGRES_DB: shop_test
    POSTGRES_USER: shop
    POSTGRES_HOST_AUTH_METHOD: trust
    DATABASE_URL: postgresql://shop@db/shop_test
  script:
    - pip install --require-hashes -r requirements.txt
    - python -m unittest discover -v

build:
  stage: build
  image: docker:27.3.1
  services: ["docker:27.3.1-dind"]
  variables:
    DOCKER_TLS_CERTDIR: /certs
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - echo "$CI_REGISTRY_PASSWORD" | docker login "$CI_REGISTRY" -u "$CI_REGISTRY_USER" --password-stdin
    - docker build --pull --tag "$IMAGE" .
    - docker push "$IMAGE"

deploy:
  stage: deploy
  image: alpine:3.20.3
  needs: [build]
  environment:
    name: production
  resource_group: production
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      when: manual
  before_script:
    - apk add --no-cache openssh-client curl
    - install -d -m 0700 ~/.ssh
    - install -m 0600 "$DEPLOY_KNOWN_HOSTS" ~/.ssh/known_hosts
    - chmod 0600 "$DEPLOY_SSH_KEY"
  script:
    - ssh -o BatchMode=yes -i "$DEPLOY_SSH_KEY" "$DEPLOY_TARGET" sudo /usr/local/sbin/deploy-shop "$IMAGE"
    - curl -fsS --retry 10 --retry-delay 3 --retry-all-errors -o /dev/null "$SHOP_URL/health"
EOF

# Proof: GitLab itself accepts the file. The token is read from a file, not from the command line.
header="$(mktemp)"
trap 'rm -f "$header"' EXIT
chmod 0600 "$header"
printf 'PRIVATE-TOKEN: %s\n' "$GITLAB_TOKEN" > "$header"
jq -n --rawfile content .gitlab-ci.yml '{content: $content}' \
  | curl -fsS -H "@$header" -H 'Content-Type: application/json' --data-binary @- \
      "$GITLAB_URL/api/v4/projects/$GITLAB_PROJECT_ID/ci/lint" \
  | jq -e '.valid == true' > /dev/null
echo "GitLab accepts the pipeline"
