#!/usr/bin/env bash
# Writes the tables and a role for the pipeline, in Terraform's JSON and in HCL
set -euo pipefail
out=$(realpath -m ~/workspace/terraform/data)
mkdir -p "$out"
cat >"$out/versions.tf.json" <<'JSON'
{
  "terraform": {
    "required_providers": {
      "aws": { "source": "hashicorp/aws", "version": "~> 6.0" }
    }
  }
}
JSON
cat >"$out/tables.tf" <<'HCL'
locals {
  tables = {
    carts  = { key = "cart_id", ttl = true }
    orders = { key = "order_id", ttl = false }
  }
}

resource "aws_dynamodb_table" "this" {
  for_each     = local.tables
  name         = "shop-${each.key}"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = each.value.key

  attribute {
    name = each.value.key
    type = "S"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }

  dynamic "ttl" {
    for_each = each.value.ttl ? [1] : []
    content {
      attribute_name = "expires"
      enabled        = true
    }
  }
}

resource "aws_iam_policy" "tables" {
  name = "shop-tables"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"]
      Resource = [for table in aws_dynamodb_table.this : table.arn]
    }]
  })
}
HCL
jq empty "$out/versions.tf.json"
terraform -chdir="$out" fmt -check
