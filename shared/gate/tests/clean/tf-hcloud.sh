#!/usr/bin/env bash
# One server at Hetzner with a firewall and a volume for the data
set -euo pipefail
T=~/workspace/terraform
mkdir -p "$T"
cat >"$T/main.tf" <<'EOF'
terraform {
  required_version = ">= 1.9"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.52"
    }
  }
}

variable "admin_cidr" {
  type = string
}

variable "public_key" {
  type = string
}

resource "hcloud_ssh_key" "admin" {
  name       = "admin"
  public_key = var.public_key
}

resource "hcloud_firewall" "web" {
  name = "web"

  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "443"
    source_ips = ["0.0.0.0/0", "::/0"]
  }

  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "22"
    source_ips = [var.admin_cidr]
  }

  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "9100"
    source_ips = ["10.0.0.0/16"]
  }
}

resource "hcloud_server" "web" {
  name         = "web-1"
  server_type  = "cx23"
  image        = "debian-13"
  location     = "nbg1"
  ssh_keys     = [hcloud_ssh_key.admin.id]
  firewall_ids = [hcloud_firewall.web.id]
  backups      = true

  user_data = <<-CLOUD
    #cloud-config
    package_update: true
    packages:
      - nginx
      - unattended-upgrades
    runcmd:
      - [systemctl, enable, --now, nginx]
  CLOUD
}

resource "hcloud_volume" "data" {
  name      = "web-data"
  size      = 50
  server_id = hcloud_server.web.id
  automount = true
  format    = "ext4"
}

output "address" {
  value = hcloud_server.web.ipv4_address
}
EOF
cd "$T"
terraform fmt -check
terraform init -backend=false -input=false
terraform validate
