#!/usr/bin/env bash
set -euo pipefail
: "${ADMIN_CIDR:?set ADMIN_CIDR}"
: "${SITE_DOMAIN:?set SITE_DOMAIN}"
export TF_VAR_admin_cidr="$ADMIN_CIDR" TF_VAR_domain="$SITE_DOMAIN"

mkdir -p digitalocean
cd digitalocean

cat > providers.tf <<'EOF'
terraform {
  required_version = ">= 1.5.0"
  required_providers {
    digitalocean = {
      source  = "digitalocean/digitalocean"
      version = "~> 2.46"
    }
  }
}

# Reads DIGITALOCEAN_TOKEN from the environment.
provider "digitalocean" {}
EOF

cat > main.tf <<'EOF'
variable "admin_cidr" {
  type = string
}

variable "domain" {
  type = string
}

variable "region" {
  type    = string
  default = "fra1"
}

data "digitalocean_ssh_keys" "all" {}

resource "digitalocean_vpc" "main" {
  name     = "site-vpc"
  region   = var.region
  ip_range = "10.50.0.0/20"
}

resource "digitalocean_droplet" "web" {
  count    = 2
  name     = "web-${count.index + 1}"
  image    = "ubuntu-24-04-x64"
  size     = "s-1vcpu-1gb"
  region   = var.region
  vpc_uuid = digitalocean_vpc.main.id
  ssh_keys = data.digitalocean_ssh_keys.all.ssh_keys[*].id
  tags     = ["web"]
}

resource "digitalocean_certificate" "site" {
  name    = "site-cert"
  type    = "lets_encrypt"
  domains = [var.domain]

  lifecycle {
    create_before_destroy = true
  }
}

resource "digitalocean_loadbalancer" "public" {
  name                   = "site-lb"
  region                 = var.region
  vpc_uuid               = digitalocean_vpc.main.id
  droplet_ids            = digitalocean_droplet.web[*].id
  redirect_http_to_https = true

  forwarding_rule {
    entry_port       = 443
    entry_protocol   = "https"
    target_port      = 80
    target_protocol  = "http"
    certificate_name = digitalocean_certificate.site.name
  }

  healthcheck {
    port     = 80
    protocol = "http"
    path     = "/"
  }
}

resource "digitalocean_firewall" "web" {
  name        = "web"
  droplet_ids = digitalocean_droplet.web[*].id

  inbound_rule {
    protocol         = "tcp"
    port_range       = "22"
    source_addresses = [var.admin_cidr]
  }

  inbound_rule {
    protocol                  = "tcp"
    port_range                = "80"
    source_load_balancer_uids = [digitalocean_loadbalancer.public.id]
  }

  outbound_rule {
    protocol              = "tcp"
    port_range            = "1-65535"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }

  outbound_rule {
    protocol              = "udp"
    port_range            = "53"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }
}

resource "digitalocean_database_cluster" "pg" {
  name                 = "site-pg"
  engine               = "pg"
  version              = "16"
  size                 = "db-s-1vcpu-1gb"
  region               = var.region
  node_count           = 1
  private_network_uuid = digitalocean_vpc.main.id
}

resource "digitalocean_database_firewall" "pg" {
  cluster_id = digitalocean_database_cluster.pg.id
  rule {
    type  = "tag"
    value = "web"
  }
}

output "lb_ip" {
  value = digitalocean_loadbalancer.public.ip
}
EOF

terraform init -input=false
terraform fmt -check
terraform validate
terraform plan -input=false -out=tfplan

lb_ip="$(terraform output -raw lb_ip)"
code="$(curl -sS -o /dev/null -w '%{http_code}' --max-time 10 "http://${lb_ip}/")"
[[ "$code" =~ ^30[178]$ ]]
