#!/usr/bin/env bash
# Declares a group of servers by a module, with their first boot
set -euo pipefail
T=~/workspace/terraform
mkdir -p $T/modules/node/templates
cat <<'HCL' >$T/modules/node/variables.tf
variable "name" {
  type = string
}

variable "size" {
  type    = string
  default = "cx23"
}

variable "keys" {
  type = list(string)
}

variable "packages" {
  type    = set(string)
  default = ["curl"]
}
HCL
cat <<'HCL' >$T/modules/node/main.tf
terraform {
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.52"
    }
  }
}

resource "hcloud_server" "this" {
  name        = var.name
  server_type = var.size
  image       = "debian-13"
  ssh_keys    = var.keys

  user_data = templatefile("${path.module}/templates/boot.yaml.tftpl", {
    hostname = var.name
    packages = var.packages
  })
}

output "address" {
  value = hcloud_server.this.ipv4_address
}

output "id" {
  value = hcloud_server.this.id
}
HCL
cat <<'TPL' >$T/modules/node/templates/boot.yaml.tftpl
#cloud-config
hostname: ${hostname}
packages:
%{ for package in packages ~}
  - ${package}
%{ endfor ~}
runcmd:
  - systemctl enable --now systemd-timesyncd
TPL
cat <<'HCL' >$T/main.tf
locals {
  nodes = {
    api = "cx33"
    job = "cx23"
  }
  names = [for key, size in local.nodes : "${key}-${size}"]
}

variable "ssh_key_name" {
  type        = string
  description = "Name of the key that is at Hetzner"

  validation {
    condition     = length(var.ssh_key_name) > 0
    error_message = "Name a key."
  }
}

data "hcloud_ssh_key" "admin" {
  name = var.ssh_key_name
}

module "node" {
  source   = "./modules/node"
  for_each = local.nodes

  name = each.key
  size = each.value
  keys = [data.hcloud_ssh_key.admin.id]
}

resource "hcloud_network" "inner" {
  name     = "inner"
  ip_range = "10.40.0.0/16"
}

resource "hcloud_network_subnet" "inner" {
  count        = 2
  network_id   = hcloud_network.inner.id
  type         = "cloud"
  network_zone = "eu-central"
  ip_range     = cidrsubnet(hcloud_network.inner.ip_range, 8, count.index)
}

output "addresses" {
  value = { for key, node in module.node : key => node.address }
}

output "names" {
  value = join(", ", sort(local.names))
}
HCL
cat <<'HCL' >$T/versions.tf
terraform {
  required_version = ">= 1.9"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> 1.52"
    }
  }
}
HCL
cd $T
terraform fmt -recursive -check
terraform init -backend=false -input=false
terraform validate -no-color
