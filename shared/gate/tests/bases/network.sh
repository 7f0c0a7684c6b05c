#!/usr/bin/env bash
# Writes the Terraform files of a web server on AWS and checks them
set -euo pipefail

project=shop
dir=~/workspace/terraform
mkdir -p "$dir"

cat >"$dir/versions.tf" <<'EOF'
terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
    random = {
      source  = "hashicorp/random"
      version = "~> 3.6"
    }
  }
}

provider "aws" {
  region = var.region
}
EOF

cat >"$dir/variables.tf" <<'EOF'
variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "admin_cidr" {
  type = string
}

variable "bucket_name" {
  type = string
}

locals {
  tags = { project = "shop" }
}
EOF

cat >"$dir/main.tf" <<'EOF'
data "aws_vpc" "default" {
  default = true
}

resource "aws_security_group" "web" {
  name   = "web"
  vpc_id = data.aws_vpc.default.id
  tags   = local.tags

  ingress {
    description = "HTTPS"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }

  ingress {
    description = "SSH"
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = [var.admin_cidr]
  }

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_vpc_security_group_ingress_rule" "metrics" {
  security_group_id = aws_security_group.web.id
  from_port         = 9100
  to_port           = 9100
  ip_protocol       = "tcp"
  cidr_ipv4         = "10.0.0.0/8"
}

resource "aws_s3_bucket" "uploads" {
  bucket = var.bucket_name
  tags   = local.tags
}

resource "aws_s3_bucket_public_access_block" "uploads" {
  bucket                  = aws_s3_bucket.uploads.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "random_password" "database" {
  length = 32
}

resource "aws_db_instance" "orders" {
  identifier              = "orders"
  engine                  = "postgres"
  engine_version          = "17.4"
  instance_class          = "db.t4g.micro"
  allocated_storage       = 20
  username                = "orders"
  password                = random_password.database.result
  publicly_accessible     = false
  deletion_protection     = true
  backup_retention_period = 7
  tags                    = local.tags
}
EOF

cat >"$dir/outputs.tf" <<'EOF'
output "bucket" {
  value = aws_s3_bucket.uploads.bucket
}

output "database" {
  value = aws_db_instance.orders.endpoint
}
EOF

cd "$dir"
terraform fmt -check
terraform init -input=false
terraform validate
if [ -f terraform.tfvars ]; then
  echo "The variables of $project are there"
fi
