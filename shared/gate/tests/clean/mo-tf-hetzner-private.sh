#!/usr/bin/env bash
# Hetzner Cloud: private network, two servers, firewall and a data volume.
set -euo pipefail

: "${HCLOUD_TOKEN:?}"
export HCLOUD_TOKEN

mkdir -p hetzner
cat > hetzner/versions.tf <<'EOF'
terraform {
  required_version = ">= 1.5"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "1.49.1"
    }
  }
}

provider "hcloud" {}
EOF

cat > hetzner/main.tf <<'EOF'
locals {
  servers = {
    web = "10.20.1.10"
    db  = "10.20.1.20"
  }
}

resource "hcloud_network" "main" {
  name     = "main"
  ip_range = "10.20.0.0/16"
}

resource "hcloud_network_subnet" "servers" {
  network_id   = hcloud_network.main.id
  type         = "cloud"
  network_zone = "eu-central"
  ip_range     = "10.20.1.0/24"
}

resource "hcloud_firewall" "base" {
  name = "base"

  rule {
    direction  = "in"
    protocol   = "tcp"
    port       = "22"
    source_ips = ["203.0.113.7/32"]
  }

  dynamic "rule" {
    for_each = toset(["80", "443"])
    content {
      direction  = "in"
      protocol   = "tcp"
      port       = rule.value
      source_ips = ["0.0.0.0/0", "::/0"]
    }
  }
}

data "hcloud_ssh_key" "ops" {
  name = "ops"
}

resource "hcloud_server" "this" {
  for_each     = local.servers
  name         = each.key
  server_type  = "cx22"
  image        = "debian-12"
  location     = "nbg1"
  ssh_keys     = [data.hcloud_ssh_key.ops.id]
  firewall_ids = [hcloud_firewall.base.id]

  network {
    network_id = hcloud_network.main.id
    ip         = each.value
  }

  depends_on = [hcloud_network_subnet.servers]
}

resource "hcloud_volume" "db" {
  name              = "db-data"
  size              = 50
  location          = "nbg1"
  format            = "ext4"
  delete_protection = true
}

resource "hcloud_volume_attachment" "db" {
  volume_id = hcloud_volume.db.id
  server_id = hcloud_server.this["db"].id
  automount = true
}

output "web_ip" {
  value = hcloud_server.this["web"].ipv4_address
}
EOF

terraform -chdir=hetzner init -input=false
terraform -chdir=hetzner validate
terraform -chdir=hetzner plan -input=false -out=tfplan
