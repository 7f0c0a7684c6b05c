#!/usr/bin/env bash
set -euo pipefail
cd ~/workspace/terraform
cat >versions.tf <<'EOF'
terraform {
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.52"
    }
  }
}
EOF
cat >balancer.tf <<'EOF'
variable "server_count" {
  type    = number
  default = 2
}

resource "hcloud_network" "shop" {
  name     = "shop"
  ip_range = "10.20.0.0/16"
}

resource "hcloud_network_subnet" "shop" {
  network_id   = hcloud_network.shop.id
  type         = "cloud"
  network_zone = "eu-central"
  ip_range     = "10.20.1.0/24"
}

resource "hcloud_server" "app" {
  count       = var.server_count
  name        = "app-${count.index + 1}"
  server_type = "cx23"
  image       = "debian-13"
  location    = "fsn1"

  network {
    network_id = hcloud_network.shop.id
    ip         = cidrhost(hcloud_network_subnet.shop.ip_range, count.index + 10)
  }

  depends_on = [hcloud_network_subnet.shop]
}

resource "hcloud_load_balancer" "shop" {
  name               = "shop"
  load_balancer_type = "lb11"
  location           = "fsn1"
}

resource "hcloud_load_balancer_network" "shop" {
  load_balancer_id = hcloud_load_balancer.shop.id
  network_id       = hcloud_network.shop.id
}

resource "hcloud_load_balancer_target" "app" {
  count            = var.server_count
  type             = "server"
  load_balancer_id = hcloud_load_balancer.shop.id
  server_id        = hcloud_server.app[count.index].id
  use_private_ip   = true

  depends_on = [hcloud_load_balancer_network.shop]
}

resource "hcloud_load_balancer_service" "web" {
  load_balancer_id = hcloud_load_balancer.shop.id
  protocol         = "tcp"
  listen_port      = 443
  destination_port = 8443

  health_check {
    protocol = "tcp"
    port     = 8443
    interval = 10
    timeout  = 5
    retries  = 3
  }
}

output "servers" {
  value = hcloud_server.app[*].ipv4_address
}
EOF
terraform fmt -check
terraform validate
