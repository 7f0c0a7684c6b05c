#!/usr/bin/env bash
# Writes a module for buckets and uses it twice
set -euo pipefail

base=~/workspace/infra
mkdir -p "$base"/modules/bucket "$base"/live

cat >"$base/modules/bucket/main.tf" <<'EOF'
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.0, < 7.0"
    }
  }
}

variable "name" {
  type = string
}

variable "expire_days" {
  type     = number
  default  = null
  nullable = true
}

resource "aws_s3_bucket" "this" {
  bucket = var.name
}

resource "aws_s3_bucket_lifecycle_configuration" "this" {
  count  = var.expire_days == null ? 0 : 1
  bucket = aws_s3_bucket.this.id

  rule {
    id     = "expire"
    status = "Enabled"

    filter {}

    expiration {
      days = var.expire_days
    }
  }
}

output "arn" {
  value = aws_s3_bucket.this.arn
}
EOF

cat >"$base/live/main.tf" <<'EOF'
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}

provider "aws" {
  region = "eu-central-1"
}

module "logs" {
  source      = "../modules/bucket"
  name        = "shop-logs-4711"
  expire_days = 90
}

module "uploads" {
  source = "../modules/bucket"
  name   = "shop-uploads-4711"
}

module "network" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "6.4.0"

  name = "shop"
  cidr = "10.30.0.0/16"
}

output "buckets" {
  value = {
    logs    = module.logs.arn
    uploads = module.uploads.arn
  }
}
EOF

terraform -chdir="$base/live" fmt -check -recursive
terraform -chdir="$base/live" init -input=false
terraform -chdir="$base/live" validate
