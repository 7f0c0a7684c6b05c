#!/usr/bin/env bash
# Plan the web shop on AWS: one instance, HTTP(S) for everyone, SSH from one address.
set -euo pipefail

: "${AWS_ACCESS_KEY_ID:?set AWS_ACCESS_KEY_ID}"
: "${AWS_SECRET_ACCESS_KEY:?set AWS_SECRET_ACCESS_KEY}"
: "${AWS_REGION:?set AWS_REGION}"
: "${ADMIN_CIDR:?set ADMIN_CIDR to your own address, e.g. 203.0.113.7/32}"
: "${SSH_PUBLIC_KEY_FILE:?set SSH_PUBLIC_KEY_FILE}"

work="${WORK_DIR:-$PWD/aws-shop}"
install -d -m 0700 "$work"
cd "$work"

cat > versions.tf <<'EOF'
terraform {
  required_version = "~> 1.9"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.76.0"
    }
  }
}

provider "aws" {
  region = var.region
}
EOF

cat > variables.tf <<'EOF'
variable "region" { type = string }
variable "public_key" { type = string }
variable "admin_cidr" {
  type = string
  validation {
    condition     = can(cidrhost(var.admin_cidr, 0)) && endswith(var.admin_cidr, "/32")
    error_message = "admin_cidr must be a single IPv4 address with /32."
  }
}
EOF

cat > main.tf <<'EOF'
data "aws_ssm_parameter" "debian" {
  name = "/aws/service/debian/release/12/20241125-1942/amd64"
}

resource "aws_key_pair" "admin" {
  key_name   = "shop-admin"
  public_key = var.public_key
}

resource "aws_security_group" "shop" {
  name_prefix = "shop-"
  description = "web shop"
}

resource "aws_vpc_security_group_ingress_rule" "web" {
  for_each          = toset(["80", "443"])
  security_group_id = aws_security_group.shop.id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = tonumber(each.value)
  to_port           = tonumber(each.value)
}

resource "aws_vpc_security_group_ingress_rule" "ssh" {
  security_group_id = aws_security_group.shop.id
  cidr_ipv4         = var.admin_cidr
  ip_protocol       = "tcp"
  from_port         = 22
  to_port           = 22
}

resource "aws_vpc_security_group_egress_rule" "out" {
  security_group_id = aws_security_group.shop.id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "-1"
}

resource "aws_instance" "shop" {
  ami                    = data.aws_ssm_parameter.debian.insecure_value
  instance_type          = "t3.small"
  key_name               = aws_key_pair.admin.key_name
  vpc_security_group_ids = [aws_security_group.shop.id]

  root_block_device {
    volume_size = 30
    encrypted   = true
  }

  disable_api_termination = true
}
EOF

export TF_IN_AUTOMATION=1 TF_VAR_region="$AWS_REGION" TF_VAR_admin_cidr="$ADMIN_CIDR"
TF_VAR_public_key="$(< "$SSH_PUBLIC_KEY_FILE")"
export TF_VAR_public_key

terraform fmt -check -diff
terraform init -input=false
terraform validate
terraform plan -input=false -out=shop.tfplan

# Proof: the plan removes nothing and SSH is open to the given address only.
terraform show -json shop.tfplan > shop.tfplan.json
jq -e '[.resource_changes[] | select(.change.actions | index("delete"))] | length == 0' shop.tfplan.json
jq -e --arg cidr "$ADMIN_CIDR" '[.planned_values.root_module.resources[]
  | select(.type == "aws_vpc_security_group_ingress_rule" and .values.from_port == 22)
  | .values.cidr_ipv4] == [$cidr]' shop.tfplan.json
