#!/usr/bin/env bash
# Builds the web application and uploads it to the stack's web bucket: `infra/publish-web.sh [stack]`. Files under
# assets/ have a hash of their content in their name and may be cached forever; all other files may not. Old assets
# stay, so that a page opened before the update still finds what it loads later.
set -euo pipefail
usage() { # the comment above
  sed -n '/^#!/d; /^#/!q; s/^# \{0,1\}//p' "$0"
}
case ${1-} in
  -h | --help) usage; exit ;;
  -*) usage >&2; exit 2 ;;
esac
cd "$(dirname "$0")/../web"
stack=${1:-groundcrew}

output() {
  aws cloudformation describe-stacks --stack-name "$stack" --output text \
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue"
}
bucket=$(output WebBucketName)

# The site's own address appears in canonical links, link previews and the sitemap.
VITE_SITE_URL=${VITE_SITE_URL:-$(output SiteUrl)}
export VITE_SITE_URL
npm ci
npm run build
cd dist

aws s3 sync assets "s3://$bucket/assets" --cache-control 'public, max-age=31536000, immutable'
aws s3 sync . "s3://$bucket" --exclude 'assets/*' --cache-control 'no-cache'
aws cloudfront create-invalidation --distribution-id "$(output DistributionId)" --paths '/*' >/dev/null
output SiteUrl
