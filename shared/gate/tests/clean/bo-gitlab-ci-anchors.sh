#!/usr/bin/env bash
# Write .gitlab-ci.yml (lint, test, build, deploy by hand) with YAML anchors and validate it through the GitLab lint API; nothing is deployed here.
set -euo pipefail
: "${GITLAB_URL:?}" "${GITLAB_PROJECT_ID:?}" "${GITLAB_TOKEN_FILE:?file with an API token}"

cat > .gitlab-ci.yml <<'EOF'
stages: [lint, test, build, deploy]

default:
  image: node:22.12.0-alpine3.21
  interruptible: true
  retry:
    max: 1
    when: [runner_system_failure, stuck_or_timeout_failure]

.node: &node
  before_script:
    - npm ci --no-audit --no-fund
  cache:
    key:
      files: [package-lock.json]
    paths: [.npm/]
  variables:
    npm_config_cache: "$CI_PROJECT_DIR/.npm"

.only_main: &only_main
  - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

lint:
  <<: *node
  stage: lint
  script:
    - npm run lint

test:
  <<: *node
  stage: test
  parallel:
    matrix:
      - SUITE: [unit, api]
  services:
    - name: redis:7.4.1-alpine
      alias: redis
  script:
    - npm run "test:$SUITE"

build:
  stage: build
  image: docker:27.4.1-cli
  services:
    - name: docker:27.4.1-dind
      alias: docker
  variables:
    DOCKER_HOST: tcp://docker:2376
    DOCKER_TLS_CERTDIR: /certs
    DOCKER_CERT_PATH: /certs/client
    DOCKER_TLS_VERIFY: "1"
  rules: *only_main
  script:
    - printf '%s' "$CI_REGISTRY_PASSWORD" | docker login -u "$CI_REGISTRY_USER" --password-stdin "$CI_REGISTRY"
    - docker build --pull -t "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA" .
    - docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA"

deploy:
  stage: deploy
  image: alpine:3.21.0
  interruptible: false
  resource_group: production
  environment: { name: production, url: "https://shop.example.com" }
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      when: manual
  before_script:
    - apk add --no-cache openssh-client
    - chmod 600 "$DEPLOY_KEY"
    - install -d -m 700 ~/.ssh
    - cp "$DEPLOY_KNOWN_HOSTS" ~/.ssh/known_hosts
  script:
    - ssh -i "$DEPLOY_KEY" deploy@app1.example.com "deploy-shop $CI_COMMIT_SHORT_SHA"
EOF

jq -n --rawfile c .gitlab-ci.yml '{content: $c, dry_run: false}' > lint-request.json
# The header comes from a file descriptor, so the token is not in the process list.
curl -fsS --max-time 30 -H @<(printf 'PRIVATE-TOKEN: %s\n' "$(cat "$GITLAB_TOKEN_FILE")") \
  -H 'Content-Type: application/json' --data @lint-request.json \
  "$GITLAB_URL/api/v4/projects/$GITLAB_PROJECT_ID/ci/lint" > lint-answer.json
rm -f lint-request.json
jq -e '.valid' lint-answer.json >/dev/null || { jq -r '.errors[]' lint-answer.json >&2; exit 1; }
