#!/usr/bin/env bash
# Plan the web shop on DigitalOcean: droplet, managed PostgreSQL in a private network, firewall.
set -euo pipefail

: "${DIGITALOCEAN_TOKEN:?set DIGITALOCEAN_TOKEN}"
: "${ADMIN_CIDR:?set ADMIN_CIDR to your own address with /32}"
: "${SSH_KEY_NAME:?set SSH_KEY_NAME to the name of a key in your account}"
region="${DO_REGION:-fra1}"
work="${WORK_DIR:-$PWD/do-shop}"
install -d -m 0700 "$work"
cd "$work"

cat > main.tf <<'EOF'
terraform {
  required_version = "~> 1.9"
  required_providers {
    digitalocean = {
      source  = "digitalocean/digitalocean"
      version = "2.44.1"
    }
  }
}

variable "admin_cidr" { type = string }
variable "region" { type = string }
variable "ssh_key_name" { type = string }

data "digitalocean_ssh_key" "admin" {
  name = var.ssh_key_name
}

resource "digitalocean_vpc" "shop" {
  name   = "shop-${var.region}"
  region = var.region
}

resource "digitalocean_droplet" "shop" {
  name       = "shop-1"
  image      = "debian-12-x64"
  size       = "s-1vcpu-2gb"
  region     = var.region
  vpc_uuid   = digitalocean_vpc.shop.id
  ssh_keys   = [data.digitalocean_ssh_key.admin.id]
  backups    = true
}

resource "digitalocean_database_cluster" "db" {
  name                 = "shop-db"
  engine               = "pg"
  version              = "16"
  size                 = "db-s-1vcpu-1gb"
  region               = var.region
  node_count           = 1
  private_network_uuid = digitalocean_vpc.shop.id

  lifecycle {
    prevent_destroy = true
  }
}

resource "digitalocean_database_firewall" "db" {
  cluster_id = digitalocean_database_cluster.db.id

  rule {
    type  = "droplet"
    value = digitalocean_droplet.shop.id
  }
}

resource "digitalocean_firewall" "shop" {
  name        = "shop"
  droplet_ids = [digitalocean_droplet.shop.id]

  dynamic "inbound_rule" {
    for_each = ["80", "443"]
    content {
      protocol         = "tcp"
      port_range       = inbound_rule.value
      source_addresses = ["0.0.0.0/0", "::/0"]
    }
  }

  inbound_rule {
    protocol         = "tcp"
    port_range       = "22"
    source_addresses = [var.admin_cidr]
  }

  dynamic "outbound_rule" {
    for_each = ["tcp", "udp"]
    content {
      protocol              = outbound_rule.value
      port_range            = "1-65535"
      destination_addresses = ["0.0.0.0/0", "::/0"]
    }
  }
}
EOF

export TF_IN_AUTOMATION=1 TF_VAR_admin_cidr="$ADMIN_CIDR" TF_VAR_region="$region" TF_VAR_ssh_key_name="$SSH_KEY_NAME"
terraform fmt -check
terraform init -input=false
terraform validate
terraform plan -input=false -out=shop.tfplan
chmod 0600 shop.tfplan

terraform show -json shop.tfplan | jq -e --arg cidr "$ADMIN_CIDR" '
  ([.resource_changes[] | select(.change.actions | index("delete"))] | length == 0) and
  ([.planned_values.root_module.resources[] | select(.type == "digitalocean_firewall")
    | .values.inbound_rule[] | select(.port_range == "22") | .source_addresses[]] == [$cidr])' > /dev/null
