#!/usr/bin/env bash
set -euo pipefail

[ -f ops_key ] || ssh-keygen -q -t ed25519 -N '' -f ops_key

cat > cloud-init.yaml <<'EOF'
#cloud-config
package_update: true
packages:
  - nginx
  - unattended-upgrades
write_files:
  - path: /var/www/html/index.html
    permissions: "0644"
    content: |
      <h1>It works</h1>
runcmd:
  - [systemctl, enable, --now, nginx]
EOF

cat > main.tf <<'EOF'
terraform {
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.49"
    }
  }
}

variable "admin_cidr" {
  type    = string
  default = "198.51.100.0/28"
}

resource "hcloud_ssh_key" "ops" {
  name       = "ops"
  public_key = file("${path.module}/ops_key.pub")
}

resource "hcloud_firewall" "web" {
  name = "web"

  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "80"
    source_ips = ["0.0.0.0/0", "::/0"]
  }

  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "22"
    source_ips = [var.admin_cidr]
  }
}

resource "hcloud_server" "web" {
  name         = "web-1"
  image        = "debian-12"
  server_type  = "cx22"
  location     = "nbg1"
  ssh_keys     = [hcloud_ssh_key.ops.id]
  firewall_ids = [hcloud_firewall.web.id]
  user_data    = file("${path.module}/cloud-init.yaml")
}

output "ipv4" {
  value = hcloud_server.web.ipv4_address
}
EOF

terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
