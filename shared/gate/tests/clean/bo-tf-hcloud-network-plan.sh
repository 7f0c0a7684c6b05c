#!/usr/bin/env bash
# Step 1: plan the Hetzner network, firewall and two web servers; opens 80 and 443 to everyone, SSH only to $ADMIN_CIDR. Step 2 applies the saved plan.
set -euo pipefail

: "${HCLOUD_TOKEN:?export HCLOUD_TOKEN first}"
: "${ADMIN_CIDR:?export ADMIN_CIDR, for example the office address as a /32}"

mkdir -p infra/network

cat > infra/network/versions.tf <<'EOF'
terraform {
  required_version = ">= 1.6.0, < 2.0.0"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "1.49.1"
    }
  }
}

# The token comes from HCLOUD_TOKEN in the environment.
provider "hcloud" {}
EOF

cat > infra/network/main.tf <<'EOF'
variable "admin_cidr" {
  type = string
  validation {
    condition     = can(cidrhost(var.admin_cidr, 0)) && !endswith(var.admin_cidr, "/0")
    error_message = "admin_cidr must be a CIDR and must not be the whole Internet."
  }
}

variable "ssh_key_name" {
  type    = string
  default = "ops"
}

data "hcloud_ssh_key" "ops" {
  name = var.ssh_key_name
}

resource "hcloud_network" "main" {
  name              = "shop"
  ip_range          = "10.20.0.0/16"
  delete_protection = true
}

resource "hcloud_network_subnet" "web" {
  network_id   = hcloud_network.main.id
  type         = "cloud"
  network_zone = "eu-central"
  ip_range     = "10.20.1.0/24"
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
    source_ips = [var.admin_cidr]
  }
}

resource "hcloud_server" "web" {
  for_each           = { web1 = "10.20.1.11", web2 = "10.20.1.12" }
  name               = each.key
  image              = "debian-12"
  server_type        = "cx22"
  location           = "fsn1"
  ssh_keys           = [data.hcloud_ssh_key.ops.id]
  firewall_ids       = [hcloud_firewall.web.id]
  backups            = true
  delete_protection  = true
  rebuild_protection = true

  network {
    network_id = hcloud_network.main.id
    ip         = each.value
  }

  depends_on = [hcloud_network_subnet.web]
}

output "web_ips" {
  value = { for name, s in hcloud_server.web : name => s.ipv4_address }
}
EOF

export TF_IN_AUTOMATION=1 TF_VAR_admin_cidr="$ADMIN_CIDR"
terraform -chdir=infra/network init -input=false
terraform -chdir=infra/network validate
terraform -chdir=infra/network plan -input=false -out=network.tfplan
terraform -chdir=infra/network show -no-color network.tfplan | tail -n 20
