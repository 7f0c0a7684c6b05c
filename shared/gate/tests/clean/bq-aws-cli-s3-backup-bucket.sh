#!/usr/bin/env bash
# A bucket for the backups with the aws client: private, versioned, TLS only, expiry on purpose, one writer that cannot delete.
set -euo pipefail

region=eu-central-1
account=$(aws sts get-caller-identity --query Account --output text)
bucket=shop-backup-$account
writer=shop-backup-writer

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! aws s3api head-bucket --bucket "$bucket" --expected-bucket-owner "$account" 2> "$work/head"; then
  grep -q '404' "$work/head" || { cat "$work/head" >&2; exit 1; }
  aws s3api create-bucket --bucket "$bucket" --region "$region" \
    --create-bucket-configuration "LocationConstraint=$region" > /dev/null
  aws s3api wait bucket-exists --bucket "$bucket"
fi

aws s3api put-public-access-block --bucket "$bucket" --public-access-block-configuration \
  BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true
aws s3api put-bucket-ownership-controls --bucket "$bucket" \
  --ownership-controls 'Rules=[{ObjectOwnership=BucketOwnerEnforced}]'
aws s3api put-bucket-versioning --bucket "$bucket" --versioning-configuration Status=Enabled
aws s3api put-bucket-encryption --bucket "$bucket" --server-side-encryption-configuration \
  '{"Rules": [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]}'

cat > "$work/lifecycle.json" <<'EOF'
{
  "Rules": [
    {
      "ID": "daily",
      "Status": "Enabled",
      "Filter": {"Prefix": "daily/"},
      "Expiration": {"Days": 35},
      "NoncurrentVersionExpiration": {"NoncurrentDays": 14}
    },
    {
      "ID": "monthly",
      "Status": "Enabled",
      "Filter": {"Prefix": "monthly/"},
      "Transitions": [{"Days": 30, "StorageClass": "GLACIER_IR"}],
      "Expiration": {"Days": 400},
      "NoncurrentVersionExpiration": {"NoncurrentDays": 30}
    },
    {
      "ID": "uploads",
      "Status": "Enabled",
      "Filter": {},
      "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 3}
    }
  ]
}
EOF
jq empty "$work/lifecycle.json"
aws s3api put-bucket-lifecycle-configuration --bucket "$bucket" --lifecycle-configuration "file://$work/lifecycle.json" > /dev/null

jq -n --arg arn "arn:aws:s3:::$bucket" '{
  Version: "2012-10-17",
  Statement: [{
    Sid: "TlsOnly", Effect: "Deny", Principal: "*", Action: "s3:*",
    Resource: [$arn, ($arn + "/*")],
    Condition: {Bool: {"aws:SecureTransport": "false"}}
  }]
}' > "$work/bucket-policy.json"
aws s3api put-bucket-policy --bucket "$bucket" --policy "file://$work/bucket-policy.json"

jq -n '{
  Version: "2012-10-17",
  Statement: [{Effect: "Allow", Principal: {Service: "ec2.amazonaws.com"}, Action: "sts:AssumeRole"}]
}' > "$work/trust.json"
jq -n --arg arn "arn:aws:s3:::$bucket" '{
  Version: "2012-10-17",
  Statement: [
    {Sid: "List", Effect: "Allow", Action: ["s3:ListBucket", "s3:GetBucketLocation"], Resource: $arn},
    {Sid: "Write", Effect: "Allow", Action: ["s3:PutObject", "s3:GetObject"], Resource: [$arn + "/daily/*", $arn + "/monthly/*"]}
  ]
}' > "$work/writer.json"

if aws iam get-role --role-name "$writer" > /dev/null 2>&1; then
  aws iam update-assume-role-policy --role-name "$writer" --policy-document "file://$work/trust.json"
else
  aws iam create-role --role-name "$writer" --assume-role-policy-document "file://$work/trust.json" > /dev/null
  aws iam wait role-exists --role-name "$writer"
fi
aws iam put-role-policy --role-name "$writer" --policy-name backup --policy-document "file://$work/writer.json"
if ! aws iam get-instance-profile --instance-profile-name "$writer" > /dev/null 2>&1; then
  aws iam create-instance-profile --instance-profile-name "$writer" > /dev/null
fi
attached=$(aws iam get-instance-profile --instance-profile-name "$writer" --query 'InstanceProfile.Roles[].RoleName' --output text)
[[ $attached == "$writer" ]] || aws iam add-role-to-instance-profile --instance-profile-name "$writer" --role-name "$writer"

# What is allowed, by the simulator and not by hope.
decision() { # ACTION
  aws iam simulate-principal-policy --policy-source-arn "arn:aws:iam::$account:role/$writer" \
    --action-names "$1" --resource-arns "arn:aws:s3:::$bucket/daily/test" \
    --query 'EvaluationResults[0].EvalDecision' --output text
}
[[ $(decision s3:PutObject) == allowed ]]
[[ $(decision s3:DeleteObject) == implicitDeny ]]
aws s3api get-bucket-policy-status --bucket "$bucket" --query PolicyStatus.IsPublic --output text | grep -Fxiq false
