#!/usr/bin/env bash
# Writes the records of the domain and the alarm for the certificate
set -euo pipefail
dir="$HOME/workspace/terraform/dns"; mkdir -p "$dir"

cat > "$dir/main.tf" <<'EOF'
terraform {
  required_providers {
    aws = {
      source                = "hashicorp/aws"
      version               = "~> 6.0"
      configuration_aliases = [aws.global]
    }
  }
}

variable "zone" {
  type = string
}

variable "records" {
  type = map(object({
    type   = string
    values = list(string)
    ttl    = optional(number, 300)
  }))
  default = {}
}

data "aws_route53_zone" "this" {
  name = var.zone
}

resource "aws_route53_record" "this" {
  for_each = { for name, record in var.records : name => record if length(record.values) > 0 }
  zone_id  = data.aws_route53_zone.this.zone_id
  name     = "${each.key}.${var.zone}"
  type     = each.value.type
  ttl      = each.value.ttl
  records  = each.value.values

  lifecycle {
    create_before_destroy = true
    ignore_changes        = [ttl]
  }
}

resource "aws_cloudwatch_metric_alarm" "certificate" {
  provider            = aws.global
  alarm_name          = "certificate-${replace(var.zone, ".", "-")}"
  comparison_operator = "LessThanThreshold"
  evaluation_periods  = 1
  metric_name         = "DaysToExpiry"
  namespace           = "AWS/CertificateManager"
  period              = 86400
  statistic           = "Minimum"
  threshold           = 20
  treat_missing_data  = "notBreaching"
}

output "names" {
  value = sort([for record in aws_route53_record.this : record.fqdn])
}
EOF
cat > "$dir/terraform.tfvars" <<'EOF'
zone = "example.org"
records = {
  www = {
    type   = "A"
    values = ["203.0.113.9"]
  }
  mail = {
    type   = "MX"
    values = ["10 mx.example.org"]
    ttl    = 3600
  }
}
EOF
terraform -chdir="$dir" fmt -check -diff
terraform -chdir="$dir" validate
