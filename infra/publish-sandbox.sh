#!/usr/bin/env bash
# Builds the sandbox image, pushes it to the stack's repository and makes the stack run it by its digest:
# `infra/publish-sandbox.sh [stack] [docker build's options]`, for example
#   infra/publish-sandbox.sh groundcrew --build-arg BASE_IMAGE=mirror.example/debian:trixie-slim
# The image is built for the architecture of the stack's sandboxes; on a machine of another architecture, Docker needs an
# emulator (docker run --privileged tonistiigi/binfmt --install all). Running sandboxes are not affected; the next start,
# and the warm pool when it is refilled, use the new image.
set -euo pipefail
usage() { # the comment above
  sed -n '/^#!/d; /^#/!q; s/^# \{0,1\}//p' "$0"
}
case ${1-} in
  -h | --help) usage; exit ;;
  -*) usage >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."
stack=${1:-groundcrew}
shift || true

described() {
  aws cloudformation describe-stacks --stack-name "$stack" --output text --query "Stacks[0].$1"
}
repository=$(described "Outputs[?OutputKey=='SandboxRepositoryUri'].OutputValue")
architecture=$(described "Parameters[?ParameterKey=='Architecture'].ParameterValue")
case $architecture in
  arm64) platform=linux/arm64 ;;
  x86_64) platform=linux/amd64 ;;
  *) echo "the stack $stack has an architecture that this script does not support: $architecture" >&2; exit 1 ;;
esac

# Tags are immutable, so each publication gets a new one.
tag=$(date -u +%Y%m%d-%H%M%S)
DOCKER_BUILDKIT=1 docker build --platform "$platform" --file infra/sandbox/Dockerfile --tag "$repository:$tag" "$@" .
aws ecr get-login-password | docker login --username AWS --password-stdin "${repository%%/*}"
docker push "$repository:$tag"

# Reads the digest from the repository: this is the image that Fargate will pull.
digest=$(aws ecr describe-images --repository-name "${repository#*/}" --image-ids "imageTag=$tag" \
  --output text --query 'imageDetails[0].imageDigest')
image=$repository@$digest

# The next `sam deploy` keeps the image.
infra/set-parameters.sh "$stack" "SandboxImage=$image"
echo "$image"
