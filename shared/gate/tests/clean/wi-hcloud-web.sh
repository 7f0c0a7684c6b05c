#!/usr/bin/env bash
set -euo pipefail
mkdir -p hcloud-web && cd hcloud-web
cat > main.tf <<'EOF'
terraform {
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "1.49.1"
    }
  }
}
variable "hcloud_token" {
  type      = string
  sensitive = true
}
variable "web_count" {
  type    = number
  default = 2
  validation {
    condition     = var.web_count > 0 && var.web_count <= 5
    error_message = "Between one and five servers."
  }
}
provider "hcloud" {
  token = var.hcloud_token
}
resource "hcloud_ssh_key" "ops" {
  name       = "ops"
  public_key = file("${path.module}/ops.pub")
}
resource "hcloud_firewall" "web" {
  name = "web"
  dynamic "rule" {
    for_each = toset(["80", "443"])
    iterator = port
    content {
      direction  = "in"
      protocol   = "tcp"
      port       = port.value
      source_ips = ["0.0.0.0/0", "::/0"]
    }
  }
  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "22"
    source_ips = ["198.51.100.7/32"]
  }
}
resource "hcloud_server" "web" {
  count        = var.web_count
  name         = format("web-%02d", count.index + 1)
  server_type  = "cx22"
  image        = "debian-12"
  location     = "fsn1"
  ssh_keys     = [hcloud_ssh_key.ops.id]
  firewall_ids = [hcloud_firewall.web.id]
  user_data    = file("${path.module}/cloud-init.yaml")
}
output "ips" {
  value = hcloud_server.web[*].ipv4_address
}
EOF
cat > cloud-init.yaml <<'EOF'
#cloud-config
package_update: true
packages:
  - nginx
ssh_pwauth: false
write_files:
  - path: /etc/motd
    permissions: "0644"
    content: |
      Managed by terraform: do not edit.
runcmd:
  - [systemctl, enable, --now, nginx]
EOF
cp "$HOME/.ssh/id_ed25519.pub" ops.pub
terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
