#!/usr/bin/env bash
set -euo pipefail

cat > main.tf <<'EOF'
terraform {
  required_providers {
    digitalocean = {
      source  = "digitalocean/digitalocean"
      version = "~> 2.46"
    }
  }
}

variable "ssh_key_name" {
  type    = string
  default = "ops"
}

variable "office_cidr" {
  type    = string
  default = "192.0.2.0/24"
}

data "digitalocean_ssh_key" "ops" {
  name = var.ssh_key_name
}

resource "digitalocean_vpc" "main" {
  name     = "main"
  region   = "fra1"
  ip_range = "10.30.0.0/16"
}

resource "digitalocean_droplet" "web" {
  name       = "web"
  region     = "fra1"
  size       = "s-1vcpu-1gb"
  image      = "debian-12-x64"
  vpc_uuid   = digitalocean_vpc.main.id
  ssh_keys   = [data.digitalocean_ssh_key.ops.id]
  monitoring = true
}

resource "digitalocean_firewall" "web" {
  name        = "web"
  droplet_ids = [digitalocean_droplet.web.id]

  inbound_rule {
    protocol         = "tcp"
    port_range       = "443"
    source_addresses = ["0.0.0.0/0", "::/0"]
  }

  inbound_rule {
    protocol         = "tcp"
    port_range       = "22"
    source_addresses = [var.office_cidr]
  }

  outbound_rule {
    protocol              = "tcp"
    port_range            = "1-65535"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }
}

output "ip" {
  value = digitalocean_droplet.web.ipv4_address
}
EOF

terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
