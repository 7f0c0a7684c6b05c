#!/usr/bin/env bash
set -euo pipefail
# Terraform state bucket with locking, then the IAM policy that the deploy role uses.
account="$(aws sts get-caller-identity --query Account --output text)"
bucket="tfstate-${account}-${AWS_REGION}"

if ! aws s3api head-bucket --bucket "$bucket" 2>/dev/null; then
  if [ "$AWS_REGION" = "us-east-1" ]; then
    aws s3api create-bucket --bucket "$bucket"
  else
    aws s3api create-bucket --bucket "$bucket" \
      --create-bucket-configuration "LocationConstraint=${AWS_REGION}"
  fi
fi

aws s3api put-public-access-block --bucket "$bucket" \
  --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true
aws s3api put-bucket-versioning --bucket "$bucket" --versioning-configuration Status=Enabled

mkdir -p bootstrap
cat > bootstrap/lifecycle.json <<'EOF'
{
  "Rules": [
    {
      "ID": "old-state-versions",
      "Status": "Enabled",
      "Filter": { "Prefix": "" },
      "NoncurrentVersionExpiration": { "NoncurrentDays": 90 }
    }
  ]
}
EOF
aws s3api put-bucket-lifecycle-configuration --bucket "$bucket" \
  --lifecycle-configuration file://bootstrap/lifecycle.json

cat > bootstrap/policy.json <<EOF
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "State",
      "Effect": "Allow",
      "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
      "Resource": "arn:aws:s3:::${bucket}/site/*"
    },
    {
      "Sid": "List",
      "Effect": "Allow",
      "Action": "s3:ListBucket",
      "Resource": "arn:aws:s3:::${bucket}"
    }
  ]
}
EOF
jq -e '.Statement | length == 2' bootstrap/policy.json > /dev/null
policy_arn="arn:aws:iam::${account}:policy/site-tfstate"
if ! aws iam get-policy --policy-arn "$policy_arn" > /dev/null 2>&1; then
  aws iam create-policy --policy-name site-tfstate --policy-document file://bootstrap/policy.json
fi

cat > bootstrap/backend.tf <<EOF
terraform {
  required_version = ">= 1.10.0"
  backend "s3" {
    bucket       = "${bucket}"
    key          = "site/terraform.tfstate"
    region       = "${AWS_REGION}"
    encrypt      = true
    use_lockfile = true
  }
}
EOF
terraform -chdir=bootstrap init -input=false -reconfigure
terraform -chdir=bootstrap validate

status="$(aws s3api get-bucket-versioning --bucket "$bucket" --query Status --output text)"
[ "$status" = "Enabled" ]
aws iam get-policy --policy-arn "$policy_arn" --query 'Policy.PolicyName' --output text | grep -qx site-tfstate
