#!/usr/bin/env bash
set -euo pipefail
: "${ADMIN_CIDR:?set ADMIN_CIDR}"
export TF_VAR_admin_cidr="$ADMIN_CIDR"

root=hcloud-modules
mkdir -p "$root/modules/web"

cat > "$root/modules/web/main.tf" <<'EOF'
terraform {
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.49"
    }
  }
}

variable "name" {
  type = string
}

variable "firewall_id" {
  type = number
}

variable "ssh_key_ids" {
  type = list(string)
}

variable "labels" {
  type    = map(string)
  default = {}
}

resource "hcloud_primary_ip" "this" {
  name          = "${var.name}-ip"
  type          = "ipv4"
  datacenter    = "nbg1-dc3"
  assignee_type = "server"
  auto_delete   = false
}

resource "hcloud_server" "this" {
  name         = var.name
  server_type  = "cx22"
  image        = "ubuntu-24.04"
  datacenter   = "nbg1-dc3"
  ssh_keys     = var.ssh_key_ids
  firewall_ids = [var.firewall_id]
  labels       = var.labels
  user_data    = file("${path.module}/cloud-init.yaml")

  public_net {
    ipv4_enabled = true
    ipv4         = hcloud_primary_ip.this.id
    ipv6_enabled = false
  }
}

output "ipv4" {
  value = hcloud_primary_ip.this.ip_address
}
EOF

cat > "$root/modules/web/cloud-init.yaml" <<'EOF'
#cloud-config
package_update: true
packages:
  - nginx
  - unattended-upgrades
write_files:
  - path: /etc/ssh/sshd_config.d/10-hardening.conf
    permissions: '0644'
    content: |
      PasswordAuthentication no
      PermitRootLogin prohibit-password
runcmd:
  - [systemctl, enable, --now, nginx]
  - [systemctl, restart, ssh]
EOF

cat > "$root/main.tf" <<'EOF'
terraform {
  required_version = ">= 1.5.0"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.49"
    }
  }
}

variable "admin_cidr" {
  type = string
}

data "hcloud_ssh_keys" "all" {}

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
    port       = "443"
    source_ips = ["0.0.0.0/0", "::/0"]
  }
  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "22"
    source_ips = [var.admin_cidr]
  }
}

module "web" {
  source      = "./modules/web"
  for_each    = toset(["web-a", "web-b"])
  name        = each.key
  firewall_id = hcloud_firewall.web.id
  ssh_key_ids = data.hcloud_ssh_keys.all.ssh_keys[*].name
  labels      = { role = "web" }
}

output "ips" {
  value = { for name, m in module.web : name => m.ipv4 }
}
EOF

terraform -chdir="$root" init -input=false
terraform -chdir="$root" validate
terraform -chdir="$root" plan -input=false -out=tfplan

mapfile -t ips < <(terraform -chdir="$root" output -json ips | jq -r '.[]')
[ "${#ips[@]}" -eq 2 ]
for ip in "${ips[@]}"; do
  curl -fsS -o /dev/null --retry 20 --retry-delay 10 --retry-all-errors "http://${ip}/"
done
