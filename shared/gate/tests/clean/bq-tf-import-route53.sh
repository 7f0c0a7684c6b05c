#!/usr/bin/env bash
# Takes records that were made by hand under Terraform without touching them: import blocks from the live zone.
set -euo pipefail

: "${ZONE_ID:?the id of the hosted zone}"
[[ $ZONE_ID =~ ^Z[A-Z0-9]+$ ]]
export TF_VAR_zone_id=$ZONE_ID

mkdir -p ~/workspace/dns-import
cd ~/workspace/dns-import

# Plain records only: NS and SOA belong to the zone, aliases and weighted sets are handled elsewhere.
aws route53 list-resource-record-sets --hosted-zone-id "$ZONE_ID" --output json |
  jq -S '[.ResourceRecordSets[]
          | select(.Type as $t | ["NS", "SOA"] | index($t) | not)
          | select(has("ResourceRecords") and (has("SetIdentifier") | not))
          | {key: "\(.Name | rtrimstr(".") | gsub("\\\\052"; "*"))_\(.Type)",
             value: {name: (.Name | rtrimstr(".") | gsub("\\\\052"; "*")), type: .Type, ttl: .TTL,
                     records: [.ResourceRecords[].Value | if startswith("\"") then .[1:-1] else . end]}}]
         | from_entries' > records.new.json
jq -e 'length > 0' records.new.json > /dev/null
if [[ ! -f records.json ]]; then
  mv records.new.json records.json
else
  # From now on the file is the truth; differences are shown, not taken over.
  diff -u records.json records.new.json || echo 'the zone differs from records.json' >&2
  rm -f records.new.json
fi

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.7.0"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.100.0"
    }
  }
}

provider "aws" {
  region = "eu-central-1"
}

variable "zone_id" { type = string }

locals {
  records = jsondecode(file("${path.module}/records.json"))
}

import {
  for_each = local.records
  to       = aws_route53_record.this[each.key]
  id       = "${var.zone_id}_${each.value.name}_${each.value.type}"
}

resource "aws_route53_record" "this" {
  for_each = local.records
  zone_id  = var.zone_id
  name     = each.value.name
  type     = each.value.type
  ttl      = each.value.ttl
  records  = each.value.records

  lifecycle {
    prevent_destroy = true
  }
}

output "count" {
  value = length(aws_route53_record.this)
}
EOF

terraform init -input=false
terraform fmt -check
terraform validate
terraform plan -input=false -out=tfplan

# Only imports and changes in place may be in the plan; nothing is made anew or removed.
terraform show -json tfplan > plan.json
if ! jq -e '[.resource_changes[]? | select(.change.actions | (index("delete") or index("create")))] | length == 0' plan.json > /dev/null; then
  jq -r '.resource_changes[] | select(.change.actions != ["no-op"]) | "\(.address) \(.change.actions | join(","))"' plan.json >&2
  exit 1
fi
terraform output count
