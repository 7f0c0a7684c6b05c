#!/usr/bin/env bash
# Declares the orders database in two private subnets
set -euo pipefail
dir="$HOME/workspace/terraform/database"
mkdir -p "$dir"
cat >"$dir/versions.tf" <<'EOF'
terraform {
  required_version = ">= 1.9"
  required_providers {
    aws    = { source = "hashicorp/aws", version = "~> 6.0" }
    random = { source = "hashicorp/random", version = "~> 3.6" }
  }
}
EOF
cat >"$dir/main.tf" <<'EOF'
variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  type = list(string)
}

variable "app_security_group_id" {
  type = string
}

resource "random_password" "orders" {
  length  = 32
  special = false
}

resource "aws_db_subnet_group" "orders" {
  name       = "orders"
  subnet_ids = var.subnet_ids
}

resource "aws_security_group" "orders" {
  name   = "orders-database"
  vpc_id = var.vpc_id

  ingress {
    from_port       = 5432
    to_port         = 5432
    protocol        = "tcp"
    security_groups = [var.app_security_group_id]
  }
}

resource "aws_db_instance" "orders" {
  identifier                = "orders"
  engine                    = "postgres"
  engine_version            = "17.4"
  instance_class            = "db.t4g.small"
  allocated_storage         = 50
  storage_type              = "gp3"
  storage_encrypted         = true
  db_name                   = "orders"
  username                  = "orders"
  password                  = random_password.orders.result
  db_subnet_group_name      = aws_db_subnet_group.orders.name
  vpc_security_group_ids    = [aws_security_group.orders.id]
  multi_az                  = true
  backup_retention_period   = 14
  backup_window             = "02:00-03:00"
  maintenance_window        = "sun:04:00-sun:05:00"
  deletion_protection       = true
  skip_final_snapshot       = false
  final_snapshot_identifier = "orders-final"
}

output "endpoint" {
  value = aws_db_instance.orders.endpoint
}

output "password" {
  value     = random_password.orders.result
  sensitive = true
}
EOF
terraform -chdir="$dir" fmt -check
terraform -chdir="$dir" init -backend=false -input=false
terraform -chdir="$dir" validate
