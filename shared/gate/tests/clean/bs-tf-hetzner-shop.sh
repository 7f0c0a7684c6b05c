#!/usr/bin/env bash
# Plan the web shop on Hetzner Cloud: server, data volume, firewall.
set -euo pipefail

: "${HCLOUD_TOKEN:?set HCLOUD_TOKEN}"
: "${ADMIN_CIDR:?set ADMIN_CIDR to your own address with /32}"
: "${SSH_PUBLIC_KEY_FILE:?set SSH_PUBLIC_KEY_FILE}"

work="${WORK_DIR:-$PWD/hetzner-shop}"
install -d -m 0700 "$work"
cd "$work"

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.9.0, < 2.0.0"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "1.49.1"
    }
  }
}

variable "admin_cidr" { type = string }
variable "public_key" { type = string }

locals {
  labels = { app = "shop" }
}

resource "hcloud_ssh_key" "admin" {
  name       = "shop-admin"
  public_key = var.public_key
}

resource "hcloud_firewall" "shop" {
  name   = "shop"
  labels = local.labels

  dynamic "rule" {
    for_each = ["80", "443"]
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

resource "hcloud_server" "shop" {
  name               = "shop-1"
  image              = "debian-12"
  server_type        = "cx22"
  location           = "nbg1"
  ssh_keys           = [hcloud_ssh_key.admin.id]
  firewall_ids       = [hcloud_firewall.shop.id]
  backups            = true
  delete_protection  = true
  rebuild_protection = true
  labels             = local.labels
  user_data          = file("${path.module}/cloud-init.yaml")
}

resource "hcloud_volume" "data" {
  name              = "shop-data"
  size              = 20
  format            = "ext4"
  server_id         = hcloud_server.shop.id
  automount         = true
  delete_protection = true
}
EOF

cat > cloud-init.yaml <<'EOF'
#cloud-config
package_update: true
packages:
  - nginx
  - unattended-upgrades
ssh_pwauth: false
write_files:
  - path: /etc/ssh/sshd_config.d/10-shop.conf
    permissions: "0600"
    content: PermitRootLogin prohibit-password
runcmd:
  - [systemctl, restart, ssh]
EOF

export TF_IN_AUTOMATION=1 TF_VAR_admin_cidr="$ADMIN_CIDR"
TF_VAR_public_key="$(< "$SSH_PUBLIC_KEY_FILE")"
export TF_VAR_public_key

terraform fmt -check
terraform init -input=false
terraform validate
terraform plan -input=false -out=shop.tfplan

terraform show -json shop.tfplan \
  | jq -e --arg cidr "$ADMIN_CIDR" '
      ([.resource_changes[] | select(.change.actions | index("delete"))] | length == 0) and
      ([.planned_values.root_module.resources[] | select(.type == "hcloud_firewall")
        | .values.rule[] | select(.port == "22") | .source_ips[]] == [$cidr])'
