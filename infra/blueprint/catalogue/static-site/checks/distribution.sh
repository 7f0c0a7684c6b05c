#!/usr/bin/env bash
# Compares CloudFront's distribution with the plan; changes nothing
set -euo pipefail

STATE=$(terraform -chdir=terraform show -json) python3 - <<'PYTHON'
import json, os, sys

resources = json.loads(os.environ["STATE"])["values"]["root_module"]["resources"]
values = {r["type"].removeprefix("aws_cloudfront_"): r["values"] for r in resources if r["mode"] == "managed"}
site = values["distribution"]
access = values["origin_access_control"]
checks = {
    "the distribution is on": site["enabled"] is True,
    "HTTP/2 and HTTP/3 are on": site["http_version"] == "http2and3",
    "pages are compressed": site["default_cache_behavior"][0]["compress"] is True,
    "the price class is 100": site["price_class"] == "PriceClass_100",
    "only this distribution reads the bucket": site["origin"][0]["origin_access_control_id"] == access["id"],
    "each request to the bucket is signed": access["signing_behavior"] == "always",
}
for what, holds in checks.items():
    print(("yes: " if holds else "NO: ") + what)
sys.exit(not all(checks.values()))
PYTHON
echo "Verified: CloudFront speaks HTTP/2 and HTTP/3, compresses pages, and alone reads the bucket"
