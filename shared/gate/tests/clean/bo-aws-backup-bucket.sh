#!/usr/bin/env bash
# Create the private, versioned, encrypted S3 bucket for backups with lifecycle rules and a policy that refuses plain HTTP, by the AWS CLI.
set -euo pipefail
: "${AWS_REGION:?}" "${BACKUP_BUCKET:?}"
export AWS_PAGER=""

if aws s3api head-bucket --bucket "$BACKUP_BUCKET" 2>/dev/null; then
  echo "bucket exists"
elif [ "$AWS_REGION" = us-east-1 ]; then
  aws s3api create-bucket --bucket "$BACKUP_BUCKET" --region us-east-1
else
  aws s3api create-bucket --bucket "$BACKUP_BUCKET" --region "$AWS_REGION" \
    --create-bucket-configuration "LocationConstraint=$AWS_REGION"
fi

aws s3api put-public-access-block --bucket "$BACKUP_BUCKET" --public-access-block-configuration \
  BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true

aws s3api put-bucket-versioning --bucket "$BACKUP_BUCKET" --versioning-configuration Status=Enabled

aws s3api put-bucket-encryption --bucket "$BACKUP_BUCKET" --server-side-encryption-configuration \
  '{"Rules":[{"ApplyServerSideEncryptionByDefault":{"SSEAlgorithm":"aws:kms"},"BucketKeyEnabled":true}]}'

cat > lifecycle.json <<'EOF'
{
  "Rules": [
    {
      "ID": "cold-after-30-days",
      "Status": "Enabled",
      "Filter": { "Prefix": "dumps/" },
      "Transitions": [{ "Days": 30, "StorageClass": "STANDARD_IA" }],
      "Expiration": { "Days": 400 },
      "NoncurrentVersionExpiration": { "NoncurrentDays": 60 }
    },
    {
      "ID": "abandoned-uploads",
      "Status": "Enabled",
      "Filter": { "Prefix": "" },
      "AbortIncompleteMultipartUpload": { "DaysAfterInitiation": 7 }
    }
  ]
}
EOF
aws s3api put-bucket-lifecycle-configuration --bucket "$BACKUP_BUCKET" \
  --lifecycle-configuration file://lifecycle.json

# Deny for everybody ("*") is meant: it only takes away, it gives nothing.
jq -n --arg b "arn:aws:s3:::$BACKUP_BUCKET" '{
  Version: "2012-10-17",
  Statement: [{
    Sid: "TlsOnly", Effect: "Deny", Principal: "*", Action: "s3:*",
    Resource: [$b, ($b + "/*")],
    Condition: { Bool: { "aws:SecureTransport": "false" } }
  }]
}' > bucket-policy.json
aws s3api put-bucket-policy --bucket "$BACKUP_BUCKET" --policy file://bucket-policy.json

[ "$(aws s3api get-bucket-versioning --bucket "$BACKUP_BUCKET" --query Status --output text)" = Enabled ]
[ "$(aws s3api get-bucket-policy-status --bucket "$BACKUP_BUCKET" --query PolicyStatus.IsPublic --output text)" = False ]
aws s3api get-public-access-block --bucket "$BACKUP_BUCKET" --output json \
  | jq -e '.PublicAccessBlockConfiguration | all(.[]; . == true)' >/dev/null
