#!/usr/bin/env bash
# Plan the security groups load balancer -> app -> database and the private PostgreSQL instance; opens 443 of the load balancer to everyone, nothing else.
set -euo pipefail

: "${AWS_REGION:?}" "${TF_VAR_vpc_id:?}" "${TF_VAR_db_subnet_ids:?a JSON list of private subnet ids}"

install -d infra/data
cat > infra/data/main.tf <<'EOF'
terraform {
  required_version = ">= 1.6.0, < 2.0.0"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.82.2"
    }
  }
}

provider "aws" {}

variable "vpc_id" {
  type = string
}

variable "db_subnet_ids" {
  type = list(string)
}

resource "aws_security_group" "tier" {
  for_each    = toset(["lb", "app", "db"])
  name        = "shop-${each.key}"
  description = "shop ${each.key} tier"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "lb_https" {
  security_group_id = aws_security_group.tier["lb"].id
  description       = "HTTPS from everyone"
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
}

locals {
  hops = {
    lb_to_app = { from = "lb", to = "app", port = 8080 }
    app_to_db = { from = "app", to = "db", port = 5432 }
  }
}

resource "aws_vpc_security_group_egress_rule" "hop" {
  for_each                     = local.hops
  security_group_id            = aws_security_group.tier[each.value.from].id
  referenced_security_group_id = aws_security_group.tier[each.value.to].id
  ip_protocol                  = "tcp"
  from_port                    = each.value.port
  to_port                      = each.value.port
}

resource "aws_vpc_security_group_ingress_rule" "hop" {
  for_each                     = local.hops
  security_group_id            = aws_security_group.tier[each.value.to].id
  referenced_security_group_id = aws_security_group.tier[each.value.from].id
  ip_protocol                  = "tcp"
  from_port                    = each.value.port
  to_port                      = each.value.port
}

# Outgoing only: the app calls the payment provider and AWS over HTTPS.
resource "aws_vpc_security_group_egress_rule" "app_https_out" {
  security_group_id = aws_security_group.tier["app"].id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
}

resource "aws_db_subnet_group" "db" {
  name       = "shop-db"
  subnet_ids = var.db_subnet_ids
}

resource "aws_db_instance" "db" {
  identifier                  = "shop"
  engine                      = "postgres"
  engine_version              = "16.6"
  auto_minor_version_upgrade  = false
  instance_class              = "db.t4g.small"
  allocated_storage           = 50
  max_allocated_storage       = 200
  storage_type                = "gp3"
  storage_encrypted           = true
  multi_az                    = true
  db_name                     = "shop"
  username                    = "shop_admin"
  manage_master_user_password = true
  db_subnet_group_name        = aws_db_subnet_group.db.name
  vpc_security_group_ids      = [aws_security_group.tier["db"].id]
  publicly_accessible         = false
  backup_retention_period     = 14
  deletion_protection         = true
  skip_final_snapshot         = false
  final_snapshot_identifier   = "shop-final"
  copy_tags_to_snapshot       = true

  lifecycle {
    prevent_destroy = true
  }
}
EOF

terraform -chdir=infra/data init -input=false
terraform -chdir=infra/data validate
terraform -chdir=infra/data plan -input=false -out=data.tfplan
