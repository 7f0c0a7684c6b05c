#!/usr/bin/env bash
set -euo pipefail

mkdir -p src
cat > src/handler.py <<'EOF'
import json
import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ["TABLE"])


def main(event, context):
    table.put_item(Item={"id": event["id"]})
    return {"statusCode": 200, "body": json.dumps({"ok": True})}
EOF

cat > main.tf <<'EOF'
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.80"
    }
    archive = {
      source  = "hashicorp/archive"
      version = "~> 2.7"
    }
  }
}

locals {
  name = "events"
}

data "archive_file" "handler" {
  type        = "zip"
  source_file = "${path.module}/src/handler.py"
  output_path = "${path.module}/handler.zip"
}

resource "aws_dynamodb_table" "events" {
  name         = local.name
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"

  attribute {
    name = "id"
    type = "S"
  }
}

resource "aws_iam_role" "handler" {
  name = local.name

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "lambda.amazonaws.com" }
    }]
  })
}

resource "aws_iam_role_policy" "handler" {
  name = "write-events"
  role = aws_iam_role.handler.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["dynamodb:PutItem"]
      Resource = aws_dynamodb_table.events.arn
    }]
  })
}

resource "aws_lambda_function" "handler" {
  function_name    = local.name
  role             = aws_iam_role.handler.arn
  runtime          = "python3.12"
  handler          = "handler.main"
  filename         = data.archive_file.handler.output_path
  source_code_hash = data.archive_file.handler.output_base64sha256

  environment {
    variables = {
      TABLE = aws_dynamodb_table.events.name
    }
  }
}

output "function" {
  value = aws_lambda_function.handler.function_name
}
EOF

terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
