#!/usr/bin/env bash
set -euo pipefail
cd ~/workspace/terraform
cat >versions.tf <<'EOF'
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}
EOF
cat >alarms.tf <<'EOF'
variable "mail" {
  type = string

  validation {
    condition     = can(regex("@", var.mail))
    error_message = "The address needs an @."
  }
}

variable "instance_id" {
  type = string
}

resource "aws_sns_topic" "alarms" {
  name = "alarms"
}

resource "aws_sns_topic_subscription" "mail" {
  topic_arn = aws_sns_topic.alarms.arn
  protocol  = "email"
  endpoint  = var.mail
}

resource "aws_cloudwatch_metric_alarm" "cpu" {
  alarm_name          = "cpu"
  namespace           = "AWS/EC2"
  metric_name         = "CPUUtilization"
  statistic           = "Average"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 80
  period              = 300
  evaluation_periods  = 3
  treat_missing_data  = "breaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
  ok_actions          = [aws_sns_topic.alarms.arn]

  dimensions = {
    InstanceId = var.instance_id
  }
}

resource "aws_budgets_budget" "month" {
  name         = "month"
  budget_type  = "COST"
  limit_amount = "100"
  limit_unit   = "USD"
  time_unit    = "MONTHLY"

  notification {
    comparison_operator        = "GREATER_THAN"
    threshold                  = 80
    threshold_type             = "PERCENTAGE"
    notification_type          = "FORECASTED"
    subscriber_email_addresses = [var.mail]
  }
}
EOF
terraform fmt -check
terraform validate
