#!/usr/bin/env bash
# Compares the bucket's protection with the plan, and knocks at the bucket past CloudFront
set -euo pipefail

STATE=$(terraform -chdir=terraform show -json) python3 - <<'PYTHON'
import json, os, sys

resources = json.loads(os.environ["STATE"])["values"]["root_module"]["resources"]
values = {r["type"].removeprefix("aws_s3_bucket_"): r["values"] for r in resources if r["mode"] == "managed"}
blocks = ["block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"]
encryption = values["server_side_encryption_configuration"]["rule"][0]["apply_server_side_encryption_by_default"][0]
checks = {
    "public access is blocked": all(values["public_access_block"][one] is True for one in blocks),
    "no ACL counts": values["ownership_controls"]["rule"][0]["object_ownership"] == "BucketOwnerEnforced",
    "versions are kept": values["versioning"]["versioning_configuration"][0]["status"] == "Enabled",
    "what is stored is encrypted": bool(encryption["sse_algorithm"]),
}
for what, holds in checks.items():
    print(("yes: " if holds else "NO: ") + what)
sys.exit(not all(checks.values()))
PYTHON

bucket=$(terraform -chdir=terraform output -raw bucket)
region=$(terraform -chdir=terraform output -raw region)
answer=$(curl --silent --output /dev/null --write-out '%{http_code}' --max-time 30 "https://$bucket.s3.$region.amazonaws.com/index.html")
echo "the bucket itself: $answer"
if [[ $answer != 403 ]]; then
  echo "the bucket answers $answer to a visitor who comes past CloudFront, and must answer 403" >&2
  exit 1
fi
echo "Verified: the bucket is private, versioned and encrypted, and answers 403 past CloudFront"
