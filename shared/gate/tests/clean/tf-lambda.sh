#!/usr/bin/env bash
# A function that shrinks uploaded pictures
set -euo pipefail
cd ~/workspace/terraform
mkdir -p src
cat >src/index.py <<'EOF'
import json
import os


def handler(event, context):
    for record in event["Records"]:
        key = record["s3"]["object"]["key"]
        print(json.dumps({"key": key, "bucket": os.environ["BUCKET"]}))
    return {"handled": len(event["Records"])}
EOF
cat >thumbnails.tf <<'EOF'
data "archive_file" "thumbnails" {
  type        = "zip"
  source_file = "${path.module}/src/index.py"
  output_path = "${path.module}/build/thumbnails.zip"
}

resource "aws_iam_role" "thumbnails" {
  name = "thumbnails"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "lambda.amazonaws.com" }
    }]
  })
}

resource "aws_iam_role_policy" "thumbnails" {
  name = "thumbnails"
  role = aws_iam_role.thumbnails.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject", "s3:PutObject"]
        Resource = "arn:aws:s3:::shop-pictures/*"
      },
      {
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = "${aws_cloudwatch_log_group.thumbnails.arn}:*"
      },
    ]
  })
}

resource "aws_cloudwatch_log_group" "thumbnails" {
  name              = "/aws/lambda/thumbnails"
  retention_in_days = 30
}

resource "aws_lambda_function" "thumbnails" {
  function_name    = "thumbnails"
  role             = aws_iam_role.thumbnails.arn
  filename         = data.archive_file.thumbnails.output_path
  source_code_hash = data.archive_file.thumbnails.output_base64sha256
  handler          = "index.handler"
  runtime          = "python3.13"
  timeout          = 30
  memory_size      = 512

  environment {
    variables = {
      BUCKET = "shop-pictures"
    }
  }
}

resource "aws_lambda_permission" "bucket" {
  statement_id  = "AllowBucket"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.thumbnails.function_name
  principal     = "s3.amazonaws.com"
  source_arn    = "arn:aws:s3:::shop-pictures"
}
EOF
cat >archive.tf <<'EOF'
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
    archive = {
      source  = "hashicorp/archive"
      version = "~> 2.7"
    }
  }
}
EOF
terraform fmt -check
terraform validate
