#!/usr/bin/env bash
set -euo pipefail
cat > main.tf <<'EOF'
terraform {
  required_providers {
    aws        = { source = "hashicorp/aws", version = "~> 6.0" }
    cloudflare = { source = "cloudflare/cloudflare", version = "~> 5.5" }
    random     = { source = "hashicorp/random", version = "~> 3.6" }
    helm       = { source = "hashicorp/helm", version = "~> 3.0" }
  }
}
provider "aws" {
  region = "eu-central-1"
  default_tags {
    tags = { app = "shop" }
  }
}
provider "aws" {
  alias  = "us"
  region = "us-east-1"
}
provider "helm" {
  kubernetes = {
    config_path = "~/.kube/config"
  }
}
locals {
  names = toset(["a", "b"])
  rules = { https = 443, http = 80 }
}
variable "zone_id" { type = string }
data "aws_availability_zones" "up" {
  state = "available"
}
data "aws_ami" "debian" {
  most_recent = true
  owners      = ["136693071363"]
  filter {
    name   = "name"
    values = ["debian-12-amd64-*"]
  }
}
resource "aws_vpc" "main" {
  cidr_block           = "10.0.0.0/16"
  enable_dns_hostnames = true
}
resource "aws_subnet" "a" {
  for_each          = { for i, z in slice(data.aws_availability_zones.up.names, 0, 2) : z => i }
  vpc_id            = aws_vpc.main.id
  availability_zone = each.key
  cidr_block        = cidrsubnet(aws_vpc.main.cidr_block, 8, each.value)
}
resource "aws_security_group" "web" {
  name   = "web"
  vpc_id = aws_vpc.main.id
  dynamic "ingress" {
    for_each = local.rules
    content {
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
      description = ingress.key
    }
  }
  egress = [{
    from_port        = 0
    to_port          = 0
    protocol         = "-1"
    cidr_blocks      = ["0.0.0.0/0"]
    description      = "out"
    ipv6_cidr_blocks = []
    prefix_list_ids  = []
    security_groups  = []
    self             = false
  }]
  lifecycle {
    create_before_destroy = true
  }
}
resource "aws_instance" "web" {
  for_each               = local.names
  ami                    = data.aws_ami.debian.id
  instance_type          = "t3.micro"
  subnet_id              = values(aws_subnet.a)[0].id
  vpc_security_group_ids = [aws_security_group.web.id]
  metadata_options {
    http_tokens = "required"
  }
  root_block_device {
    encrypted   = true
    volume_size = 20
    tags        = { Name = each.key }
  }
  timeouts {
    create = "10m"
  }
  tags = merge({ Name = each.key }, { role = "web" })
}
resource "aws_acm_certificate" "site" {
  provider          = aws.us
  domain_name       = "shop.example.com"
  validation_method = "DNS"
}
resource "cloudflare_dns_record" "proof" {
  for_each = { for o in aws_acm_certificate.site.domain_validation_options : o.domain_name => o }
  zone_id  = var.zone_id
  name     = each.value.resource_record_name
  type     = each.value.resource_record_type
  content  = each.value.resource_record_value
  ttl      = 60
}
resource "helm_release" "ingress" {
  name       = "ingress"
  repository = "https://kubernetes.github.io/ingress-nginx"
  chart      = "ingress-nginx"
  version    = "4.11.3"
  set = [{ name = "controller.replicaCount", value = "2" }]
}
resource "random_password" "db" {
  count  = 2
  length = 24
}
resource "aws_ssm_parameter" "db" {
  count            = 2
  name             = "/shop/${count.index}"
  type             = "SecureString"
  value_wo         = random_password.db[count.index].result
  value_wo_version = 1
}
moved {
  from = aws_instance.old
  to   = aws_instance.web
}
check "health" {
  data "http" "site" {
    url = "https://shop.example.com"
  }
  assert {
    condition     = data.http.site.status_code == 200
    error_message = "down"
  }
}
output "ips" {
  value = { for k, i in aws_instance.web : k => i.private_ip }
}
output "first" {
  value = one(aws_acm_certificate.site.domain_validation_options[*].resource_record_name)
}
EOF
terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
