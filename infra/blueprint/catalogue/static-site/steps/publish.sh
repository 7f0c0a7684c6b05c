#!/usr/bin/env bash
# Uploads site/ to the bucket, and has CloudFront fetch it anew
set -euo pipefail

names=(@credentials@)
for name in "${names[@]}"; do
  if [[ -z ${!name:-} ]]; then
    echo "No @cloud@ credentials in the environment ($name is missing). Enter them in the credentials form, then run this step again." >&2
    exit 1
  fi
done
bucket=$(terraform -chdir=terraform output -raw bucket)
region=$(terraform -chdir=terraform output -raw region)
distribution=$(terraform -chdir=terraform output -raw distribution_id)
host=$(terraform -chdir=terraform output -raw site_host)

aws s3 sync site "s3://$bucket" --region "$region" --delete --no-progress --cache-control 'public, max-age=300'
aws s3 ls "s3://$bucket" --region "$region" --recursive --summarize

# Also when nothing was uploaded: an earlier attempt may have ended between the two.
invalidation=$(aws cloudfront create-invalidation --distribution-id "$distribution" --paths '/*' --query Invalidation.Id --output text)
echo "CloudFront fetches everything anew ($invalidation)."
aws cloudfront wait invalidation-completed --distribution-id "$distribution" --id "$invalidation"
echo "The site is at https://$host/"
