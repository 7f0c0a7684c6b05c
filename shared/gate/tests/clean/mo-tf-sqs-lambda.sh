#!/usr/bin/env bash
# Queue with dead-letter queue and a Lambda consumer.
set -euo pipefail

: "${AWS_PROFILE:?}"
export AWS_PROFILE

dir=infra/orders
mkdir -p "$dir/src"

cat > "$dir/src/handler.py" <<'EOF'
import json


def handle(event, context):
    failures = []
    for record in event["Records"]:
        try:
            order = json.loads(record["body"])
            print(f"order {order['id']} accepted")
        except (KeyError, ValueError):
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
EOF

cat > "$dir/main.tf" <<'EOF'
terraform {
  required_providers {
    aws     = { source = "hashicorp/aws", version = "5.82.2" }
    archive = { source = "hashicorp/archive", version = "2.7.0" }
  }
}

provider "aws" {
  region = "eu-west-1"
}

data "archive_file" "consumer" {
  type        = "zip"
  source_file = "${path.module}/src/handler.py"
  output_path = "${path.module}/consumer.zip"
}

resource "aws_sqs_queue" "dead" {
  name                      = "orders-dead"
  message_retention_seconds = 1209600
}

resource "aws_sqs_queue" "orders" {
  name                       = "orders"
  visibility_timeout_seconds = 180
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
    maxReceiveCount     = 5
  })
}

resource "aws_iam_role" "consumer" {
  name = "orders-consumer"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "lambda.amazonaws.com" }
    }]
  })
}

resource "aws_iam_role_policy_attachment" "consumer" {
  role       = aws_iam_role.consumer.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole"
}

resource "aws_lambda_function" "consumer" {
  function_name    = "orders-consumer"
  role             = aws_iam_role.consumer.arn
  runtime          = "python3.12"
  handler          = "handler.handle"
  filename         = data.archive_file.consumer.output_path
  source_code_hash = data.archive_file.consumer.output_base64sha256
  timeout          = 30
}

resource "aws_lambda_event_source_mapping" "orders" {
  event_source_arn        = aws_sqs_queue.orders.arn
  function_name           = aws_lambda_function.consumer.arn
  batch_size              = 10
  function_response_types = ["ReportBatchItemFailures"]
  depends_on              = [aws_iam_role_policy_attachment.consumer]
}
EOF

python3 -m py_compile "$dir/src/handler.py"
terraform -chdir="$dir" init -input=false
terraform -chdir="$dir" validate
terraform -chdir="$dir" plan -input=false -out=tfplan
