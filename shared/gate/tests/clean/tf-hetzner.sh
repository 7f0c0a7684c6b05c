#!/usr/bin/env bash
# Writes a server at Hetzner with its firewall and the first boot
set -euo pipefail
umask 077
mkdir -p ~/workspace/terraform/files && cd ~/workspace/terraform

cat > main.tf <<'EOF'
terraform {
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.52"
    }
    http = {
      source  = "hashicorp/http"
      version = "~> 3.5"
    }
  }
}

variable "ssh_public_key" {
  type = string
}

data "http" "me" {
  url = "https://checkip.amazonaws.com"
}

locals {
  me = "${chomp(data.http.me.response_body)}/32"
}

resource "hcloud_ssh_key" "admin" {
  name       = "admin"
  public_key = var.ssh_public_key
}

resource "hcloud_firewall" "web" {
  name = "web"

  dynamic "rule" {
    for_each = toset(["80", "443"])
    content {
      direction  = "in"
      protocol   = "tcp"
      port       = rule.value
      source_ips = ["0.0.0.0/0", "::/0"]
    }
  }

  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "22"
    source_ips = [local.me]
  }
}

resource "hcloud_server" "web" {
  name         = "web-1"
  server_type  = "cx23"
  image        = "debian-13"
  location     = "fsn1"
  ssh_keys     = [hcloud_ssh_key.admin.id]
  firewall_ids = [hcloud_firewall.web.id]
  user_data    = templatefile("${path.module}/files/cloud-init.yaml.tftpl", { user = "deploy" })

  lifecycle {
    ignore_changes = [user_data]
  }
}

output "address" {
  value = hcloud_server.web.ipv4_address
}
EOF

cat > files/cloud-init.yaml.tftpl <<'EOF'
#cloud-config
users:
  - name: ${user}
    groups: [sudo]
    lock_passwd: true
    shell: /bin/bash
package_update: true
packages:
  - unattended-upgrades
EOF

terraform fmt -check
terraform init -input=false
terraform validate
