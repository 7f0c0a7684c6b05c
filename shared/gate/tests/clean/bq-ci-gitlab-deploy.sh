#!/usr/bin/env bash
# GitLab CI: lint, test, image, deployment by SSH to the server, with a job for going back.
set -euo pipefail

cd ~/workspace/shop
mkdir -p ci

cat > .gitlab-ci.yml <<'EOF'
stages: [check, build, deploy]

workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

default:
  interruptible: true
  retry:
    max: 1
    when: [runner_system_failure, stuck_or_timeout_failure]

.node: &node
  image: node:20.18.1-bookworm-slim
  cache:
    key:
      files: [package-lock.json]
    paths: [.npm/]
  before_script:
    - npm ci --cache .npm --prefer-offline --no-audit --no-fund

lint:
  <<: *node
  stage: check
  script:
    - npm run lint

test:
  <<: *node
  stage: check
  services:
    - name: postgres:17.2
      alias: db
  variables:
    POSTGRES_DB: shop_test
    POSTGRES_HOST_AUTH_METHOD: trust
    DATABASE_URL: postgres://postgres@db:5432/shop_test
  script:
    - npm test
  artifacts:
    when: always
    reports:
      junit: junit.xml
    expire_in: 1 week

image:
  stage: build
  image: docker:27.4.1-cli
  services:
    - docker:27.4.1-dind
  variables:
    DOCKER_TLS_CERTDIR: /certs
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - echo "$CI_REGISTRY_PASSWORD" | docker login --username "$CI_REGISTRY_USER" --password-stdin "$CI_REGISTRY"
    - docker build --pull --tag "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHA" .
    - docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHA"

.ssh:
  image: alpine:3.21.0
  stage: deploy
  interruptible: false
  resource_group: production
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      when: manual
  before_script:
    - apk add --no-cache openssh-client
    - install -d -m 0700 ~/.ssh
    # Both are variables of the type "file", protected.
    - install -m 0600 "$DEPLOY_SSH_KEY" ~/.ssh/id_ed25519
    - install -m 0644 "$DEPLOY_KNOWN_HOSTS" ~/.ssh/known_hosts

deploy:
  extends: .ssh
  environment:
    name: production
    url: https://shop.example.org
  script:
    - ssh -o BatchMode=yes "$DEPLOY_USER@$DEPLOY_HOST" bash -s -- deploy "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHA" < ci/release.sh

back:
  extends: .ssh
  environment:
    name: production
  script:
    - ssh -o BatchMode=yes "$DEPLOY_USER@$DEPLOY_HOST" bash -s -- back < ci/release.sh
EOF

cat > ci/release.sh <<'EOF'
#!/usr/bin/env bash
# On the server: release.sh deploy IMAGE | back
set -euo pipefail

main() {
  cd /opt/shop
  local wanted
  case ${1:-} in
    deploy) wanted=${2:?image} ;;
    back) wanted=$(cat previous) ;;
    *) echo 'deploy IMAGE or back' >&2; return 2 ;;
  esac
  local now=
  [[ ! -s current ]] || now=$(cat current)

  start() {
    printf 'SHOP_IMAGE=%s\n' "$1" > image.env
    docker compose --env-file image.env up --detach --wait --wait-timeout 120 < /dev/null
  }

  docker pull --quiet "$wanted" < /dev/null
  if ! start "$wanted"; then
    docker compose --env-file image.env logs --tail 50 < /dev/null >&2
    [[ -z $now ]] || start "$now"
    return 1
  fi
  if [[ $wanted != "$now" ]]; then
    [[ -z $now ]] || printf '%s\n' "$now" > previous
    printf '%s\n' "$wanted" > current
  fi
}

main "$@"
EOF
chmod 0755 ci/release.sh

cat > ci/compose.yaml <<'EOF'
name: shop
services:
  app:
    image: ${SHOP_IMAGE:?}
    restart: unless-stopped
    env_file: [/opt/shop/app.env]
    ports: ["127.0.0.1:3000:3000"]
    healthcheck:
      test: ["CMD", "node", "dist/check.js"]
      interval: 5s
      timeout: 3s
      retries: 12
EOF

bash -n ci/release.sh
python3 -c 'import yaml; yaml.safe_load(open(".gitlab-ci.yml"))'

ssh server 'sudo install -d -o "$(id -un)" -g "$(id -gn)" -m 0750 /opt/shop'
scp -q ci/compose.yaml server:/opt/shop/compose.yaml
ssh server 'cd /opt/shop && { test -s app.env || (umask 077; printf "NODE_ENV=production\nSESSION_SECRET=%s\n" "$(openssl rand -hex 32)" > app.env); }'
ssh server 'cd /opt/shop && SHOP_IMAGE=check docker compose config --quiet'

git add .gitlab-ci.yml ci
git diff --cached --quiet -- .gitlab-ci.yml ci || git commit -q -m 'Deploy from GitLab CI' -- .gitlab-ci.yml ci
