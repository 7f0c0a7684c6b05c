#!/usr/bin/env bash
# Writes the queue with its dead letters and the function that reads it
set -euo pipefail

root="$HOME/workspace/terraform/orders"
mkdir -p "$root/src"

tee "$root/versions.tf" >/dev/null <<'HCL'
terraform {
  required_version = ">= 1.10.0, < 2.0.0"

  required_providers {
    archive = {
      source  = "hashicorp/archive"
      version = "~> 2.7"
    }
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.10"
    }
  }
}

provider "aws" {
  region = "eu-west-1"

  default_tags {
    tags = {
      application = "orders"
    }
  }
}
HCL

tee "$root/queue.tf" >/dev/null <<'HCL'
resource "aws_sqs_queue" "dead" {
  name                      = "orders-dead"
  message_retention_seconds = 1209600
  sqs_managed_sse_enabled   = true
}

resource "aws_sqs_queue" "orders" {
  name                       = "orders"
  visibility_timeout_seconds = 180
  sqs_managed_sse_enabled    = true

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
    maxReceiveCount     = 5
  })
}

data "archive_file" "code" {
  type        = "zip"
  source_dir  = "${path.module}/src"
  output_path = "${path.module}/build/code.zip"
}

data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "worker" {
  name               = "orders-worker"
  assume_role_policy = data.aws_iam_policy_document.assume.json
}

resource "aws_lambda_function" "worker" {
  function_name    = "orders-worker"
  role             = aws_iam_role.worker.arn
  runtime          = "python3.13"
  handler          = "worker.handle"
  filename         = data.archive_file.code.output_path
  source_code_hash = data.archive_file.code.output_base64sha256
  timeout          = 30
}

resource "aws_lambda_event_source_mapping" "orders" {
  event_source_arn = aws_sqs_queue.orders.arn
  function_name    = aws_lambda_function.worker.arn
  batch_size       = 10
}
HCL

cat >"$root/src/worker.py" <<'PY'
import json


def handle(event, context):
    for record in event["Records"]:
        order = json.loads(record["body"])
        print(order["id"])
PY

terraform -chdir="$root" fmt -check
python3 -m py_compile "$root/src/worker.py"
