#!/usr/bin/env bash
# Web server on AWS: EC2 instance, security group, elastic IP.
set -euo pipefail
: "${AWS_ACCESS_KEY_ID:?}" "${AWS_SECRET_ACCESS_KEY:?}" "${AWS_REGION:?}"

mkdir -p infra/aws
cd infra/aws
[ -f id_site ] || ssh-keygen -q -t ed25519 -N '' -f id_site

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.6.0"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.60"
    }
  }
}

provider "aws" {}

variable "admin_cidr" {
  type = string
}

data "aws_ami" "ubuntu" {
  most_recent = true
  owners      = ["099720109477"]
  filter {
    name   = "name"
    values = ["ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-*"]
  }
}

resource "aws_key_pair" "site" {
  key_name   = "site"
  public_key = file("${path.module}/id_site.pub")
}
resource "aws_security_group" "web" {
  name        = "site-web"
  description = "HTTP and HTTPS for all, SSH for the administrator"
  dynamic "ingress" {
    for_each = toset([80, 443])
    content {
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  }
  ingress {
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
resource "aws_instance" "web" {
  ami                    = data.aws_ami.ubuntu.id
  instance_type          = "t3.small"
  key_name               = aws_key_pair.site.key_name
  vpc_security_group_ids = [aws_security_group.web.id]
}
output "public_ip" {
  value = aws_instance.web.public_ip
}
EOF
TF_VAR_admin_cidr="$(curl -fsS https://checkip.amazonaws.com)/32"
export TF_VAR_admin_cidr
terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
