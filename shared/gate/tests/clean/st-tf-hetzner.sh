#!/usr/bin/env bash
# Two web servers in Hetzner Cloud with a network, a volume, a firewall and a load balancer.
set -euo pipefail

: "${HCLOUD_TOKEN:?set HCLOUD_TOKEN}"
: "${TF_VAR_admin_cidr:?set TF_VAR_admin_cidr, for example 198.51.100.7/32}"
export HCLOUD_TOKEN
mkdir -p hetzner

cat > hetzner/main.tf <<'EOF'
terraform {
  required_version = ">= 1.9.0"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.49"
    }
  }
}

provider "hcloud" {}

variable "admin_cidr" {
  type = string
}

resource "hcloud_ssh_key" "admin" {
  name       = "admin"
  public_key = file("~/.ssh/id_ed25519.pub")
}

resource "hcloud_network" "main" {
  name     = "main"
  ip_range = "10.0.0.0/16"
}

resource "hcloud_network_subnet" "web" {
  network_id   = hcloud_network.main.id
  type         = "cloud"
  network_zone = "eu-central"
  ip_range     = "10.0.1.0/24"
}

resource "hcloud_firewall" "web" {
  name = "web"
  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "22"
    source_ips = [var.admin_cidr]
  }
  rule {
    direction  = "in"
    protocol   = "icmp"
    source_ips = ["0.0.0.0/0", "::/0"]
  }
}

resource "hcloud_server" "web" {
  count        = 2
  name         = "web-${count.index + 1}"
  server_type  = "cax11"
  image        = "debian-12"
  location     = "nbg1"
  ssh_keys     = [hcloud_ssh_key.admin.id]
  firewall_ids = [hcloud_firewall.web.id]
  user_data    = file("${path.module}/cloud-init.yaml")
  network {
    network_id = hcloud_network.main.id
    ip         = "10.0.1.${count.index + 10}"
  }
  depends_on = [hcloud_network_subnet.web]
}

resource "hcloud_volume" "uploads" {
  name     = "uploads"
  size     = 20
  location = "nbg1"
  format   = "ext4"
}

resource "hcloud_volume_attachment" "uploads" {
  volume_id = hcloud_volume.uploads.id
  server_id = hcloud_server.web[0].id
  automount = true
}

resource "hcloud_load_balancer" "web" {
  name               = "web"
  load_balancer_type = "lb11"
  location           = "nbg1"
}

resource "hcloud_load_balancer_network" "web" {
  load_balancer_id = hcloud_load_balancer.web.id
  network_id       = hcloud_network.main.id
  ip               = "10.0.1.5"
  depends_on       = [hcloud_network_subnet.web]
}

resource "hcloud_load_balancer_target" "web" {
  count            = 2
  type             = "server"
  load_balancer_id = hcloud_load_balancer.web.id
  server_id        = hcloud_server.web[count.index].id
  use_private_ip   = true
  depends_on       = [hcloud_load_balancer_network.web]
}

resource "hcloud_load_balancer_service" "http" {
  load_balancer_id = hcloud_load_balancer.web.id
  protocol         = "http"
  listen_port      = 80
  destination_port = 80
  health_check {
    protocol = "http"
    port     = 80
    interval = 10
    timeout  = 5
    retries  = 3
    http {
      path         = "/"
      status_codes = ["2??", "3??"]
    }
  }
}

output "address" {
  value = hcloud_load_balancer.web.ipv4
}
EOF

cat > hetzner/cloud-init.yaml <<'EOF'
#cloud-config
package_update: true
packages:
  - nginx
  - unattended-upgrades
write_files:
  - path: /etc/ssh/sshd_config.d/10-hardening.conf
    permissions: "0644"
    content: |
      PasswordAuthentication no
      PermitRootLogin prohibit-password
runcmd:
  - [systemctl, enable, --now, nginx]
  - [systemctl, restart, ssh]
EOF

terraform -chdir=hetzner init -input=false
terraform -chdir=hetzner validate
terraform -chdir=hetzner plan -input=false -out=tfplan
