#!/usr/bin/env bash
set -euo pipefail

cat > main.tf <<'EOF'
terraform {
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.49"
    }
  }
}

locals {
  location = "fsn1"
  workers  = 2
}

resource "hcloud_network" "main" {
  name     = "main"
  ip_range = "10.20.0.0/16"
}

resource "hcloud_network_subnet" "app" {
  network_id   = hcloud_network.main.id
  type         = "cloud"
  network_zone = "eu-central"
  ip_range     = "10.20.1.0/24"
}

resource "hcloud_server" "app" {
  count       = local.workers
  name        = "app-${count.index + 1}"
  image       = "debian-12"
  server_type = "cx22"
  location    = local.location

  network {
    network_id = hcloud_network.main.id
  }

  depends_on = [hcloud_network_subnet.app]
}

resource "hcloud_load_balancer" "app" {
  name               = "app"
  load_balancer_type = "lb11"
  location           = local.location
}

resource "hcloud_load_balancer_network" "app" {
  load_balancer_id = hcloud_load_balancer.app.id
  subnet_id        = hcloud_network_subnet.app.id
}

resource "hcloud_load_balancer_target" "app" {
  count            = local.workers
  type             = "server"
  load_balancer_id = hcloud_load_balancer.app.id
  server_id        = hcloud_server.app[count.index].id
  use_private_ip   = true
  depends_on       = [hcloud_load_balancer_network.app]
}

resource "hcloud_load_balancer_service" "https" {
  load_balancer_id = hcloud_load_balancer.app.id
  protocol         = "tcp"
  listen_port      = 443
  destination_port = 8443
}

output "lb_ip" {
  value = hcloud_load_balancer.app.ipv4
}
EOF

terraform init -input=false
terraform validate
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
