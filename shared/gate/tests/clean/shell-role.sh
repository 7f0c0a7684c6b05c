#!/usr/bin/env bash
# Makes the role of the function and its bucket policy by the command line
set -euo pipefail
role=orders-worker
trust=$(mktemp)
trap 'rm -f "$trust"' EXIT
cat > "$trust" <<'EOF'
{
  "Version": "2012-10-17",
  "Statement": [
    {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
  ]
}
EOF
aws iam get-role --role-name "$role" >/dev/null 2>&1 ||
  aws iam create-role --role-name "$role" --assume-role-policy-document "file://$trust"
aws iam put-role-policy --role-name "$role" --policy-name read-orders --policy-document '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::orders-4711/*"]}]}'
aws s3api put-bucket-encryption --bucket orders-4711 --server-side-encryption-configuration '{"Rules": [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]}'
aws dynamodb put-item --table-name settings --item "{\"id\": {\"S\": \"$role\"}, \"limit\": {\"N\": \"${LIMIT:-20}\"}}"
curl -fsS -X POST -H 'Content-Type: application/json' --data "{\"text\": \"The role $role is there\", \"retries\": ${LIMIT:-3}}" https://hooks.example.org/ops
aws iam get-role-policy --role-name "$role" --policy-name read-orders --query PolicyName --output text | grep -qx read-orders
