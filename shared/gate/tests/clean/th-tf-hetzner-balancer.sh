#!/usr/bin/env bash
set -euo pipefail
: "${ADMIN_CIDR:?set ADMIN_CIDR to your own address range}"
export TF_VAR_admin_cidr="$ADMIN_CIDR"

mkdir -p hetzner
cd hetzner
[ -f id_ed25519 ] || ssh-keygen -q -t ed25519 -N '' -C deploy -f id_ed25519

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.5.0"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.49"
    }
  }
}

# The token comes from HCLOUD_TOKEN in the environment.
provider "hcloud" {}

variable "admin_cidr" {
  type = string
}

variable "location" {
  type    = string
  default = "fsn1"
}

resource "hcloud_ssh_key" "deploy" {
  name       = "deploy"
  public_key = file("${path.module}/id_ed25519.pub")
}

resource "hcloud_network" "private" {
  name     = "private"
  ip_range = "10.40.0.0/16"
}

resource "hcloud_network_subnet" "private" {
  network_id   = hcloud_network.private.id
  type         = "cloud"
  network_zone = "eu-central"
  ip_range     = "10.40.1.0/24"
}

resource "hcloud_firewall" "web" {
  name = "web"

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

resource "hcloud_server" "web" {
  name         = "web-1"
  server_type  = "cx22"
  image        = "debian-12"
  location     = var.location
  ssh_keys     = [hcloud_ssh_key.deploy.id]
  firewall_ids = [hcloud_firewall.web.id]

  network {
    network_id = hcloud_network.private.id
    ip         = "10.40.1.10"
  }

  depends_on = [hcloud_network_subnet.private]
}

resource "hcloud_volume" "data" {
  name              = "web-data"
  size              = 20
  location          = var.location
  format            = "ext4"
  delete_protection = true
}

resource "hcloud_volume_attachment" "data" {
  volume_id = hcloud_volume.data.id
  server_id = hcloud_server.web.id
  automount = true
}

output "web_ip" {
  value = hcloud_server.web.ipv4_address
}
EOF

terraform init -input=false
terraform validate
terraform plan -input=false -out=tfplan

ip="$(terraform output -raw web_ip)"
for _ in $(seq 1 30); do
  if ssh -i id_ed25519 -o BatchMode=yes -o StrictHostKeyChecking=accept-new -o ConnectTimeout=5 "root@${ip}" true; then
    break
  fi
  sleep 5
done
ssh -i id_ed25519 -o BatchMode=yes "root@${ip}" 'findmnt -t ext4 | grep -q HC_Volume'
