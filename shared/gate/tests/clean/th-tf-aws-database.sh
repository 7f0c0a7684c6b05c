#!/usr/bin/env bash
set -euo pipefail
: "${ADMIN_CIDR:?set ADMIN_CIDR}"
export TF_VAR_admin_cidr="$ADMIN_CIDR" TF_VAR_region="$AWS_REGION"

mkdir -p infra/db
cd infra/db

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.6.0"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.80"
    }
  }
}

provider "aws" {
  region = var.region
}

variable "region" { type = string }
variable "admin_cidr" { type = string }

data "aws_availability_zones" "this" {
  state = "available"
}

locals {
  azs = slice(data.aws_availability_zones.this.names, 0, 2)
}

module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.16.0"

  name             = "site"
  cidr             = "10.30.0.0/16"
  azs              = local.azs
  public_subnets   = ["10.30.1.0/24", "10.30.2.0/24"]
  database_subnets = ["10.30.11.0/24", "10.30.12.0/24"]

  create_database_subnet_group = true
  enable_dns_hostnames         = true
}

module "web_sg" {
  source  = "terraform-aws-modules/security-group/aws"
  version = "5.2.0"

  name                = "web"
  vpc_id              = module.vpc.vpc_id
  ingress_cidr_blocks = ["0.0.0.0/0"]
  ingress_rules       = ["http-80-tcp", "https-443-tcp"]
  ingress_with_cidr_blocks = [
    { rule = "ssh-tcp", cidr_blocks = var.admin_cidr }
  ]
  egress_rules = ["all-all"]
}

resource "aws_security_group" "db" {
  name_prefix = "db-"
  vpc_id      = module.vpc.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "db_from_web" {
  security_group_id            = aws_security_group.db.id
  referenced_security_group_id = module.web_sg.security_group_id
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
}

resource "aws_db_instance" "main" {
  identifier                  = "site-db"
  engine                      = "postgres"
  engine_version              = "16.6"
  instance_class              = "db.t4g.micro"
  allocated_storage           = 20
  storage_encrypted           = true
  db_name                     = "site"
  username                    = "site_admin"
  manage_master_user_password = true
  db_subnet_group_name        = module.vpc.database_subnet_group_name
  vpc_security_group_ids      = [aws_security_group.db.id]
  publicly_accessible         = false
  backup_retention_period     = 7
  backup_window               = "03:00-04:00"
  deletion_protection         = true
  final_snapshot_identifier   = "site-db-final"
}

output "db_secret_arn" {
  value = aws_db_instance.main.master_user_secret[0].secret_arn
}
EOF

terraform init -input=false
terraform validate
terraform plan -input=false -out=tfplan

aws rds wait db-instance-available --db-instance-identifier site-db
public="$(aws rds describe-db-instances --db-instance-identifier site-db \
  --query 'DBInstances[0].PubliclyAccessible' --output text)"
[ "$public" = "False" ]
aws secretsmanager describe-secret --secret-id "$(terraform output -raw db_secret_arn)" > /dev/null
