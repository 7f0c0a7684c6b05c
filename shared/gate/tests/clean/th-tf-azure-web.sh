#!/usr/bin/env bash
set -euo pipefail
: "${ARM_SUBSCRIPTION_ID:?set ARM_SUBSCRIPTION_ID}"
: "${ADMIN_CIDR:?set ADMIN_CIDR}"
export TF_VAR_admin_cidr="$ADMIN_CIDR"

mkdir -p azure && cd azure

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.6.0"
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "~> 4.14"
    }
  }
}

provider "azurerm" {
  features {}
}

variable "admin_cidr" {
  type = string
}

variable "location" {
  type    = string
  default = "westeurope"
}

locals {
  rules = {
    http  = { priority = 100, port = "80", source = "Internet" }
    https = { priority = 110, port = "443", source = "Internet" }
    ssh   = { priority = 120, port = "22", source = var.admin_cidr }
  }
}

resource "azurerm_resource_group" "site" {
  name     = "rg-site"
  location = var.location
}

resource "azurerm_virtual_network" "site" {
  name                = "vnet-site"
  resource_group_name = azurerm_resource_group.site.name
  location            = azurerm_resource_group.site.location
  address_space       = ["10.70.0.0/16"]
}

resource "azurerm_subnet" "web" {
  name                 = "snet-web"
  resource_group_name  = azurerm_resource_group.site.name
  virtual_network_name = azurerm_virtual_network.site.name
  address_prefixes     = ["10.70.1.0/24"]
}

resource "azurerm_network_security_group" "web" {
  name                = "nsg-web"
  resource_group_name = azurerm_resource_group.site.name
  location            = azurerm_resource_group.site.location
}

resource "azurerm_network_security_rule" "web" {
  for_each                    = local.rules
  name                        = "allow-${each.key}"
  priority                    = each.value.priority
  direction                   = "Inbound"
  access                      = "Allow"
  protocol                    = "Tcp"
  source_port_range           = "*"
  destination_port_range      = each.value.port
  source_address_prefix       = each.value.source
  destination_address_prefix  = "*"
  resource_group_name         = azurerm_resource_group.site.name
  network_security_group_name = azurerm_network_security_group.web.name
}

resource "azurerm_subnet_network_security_group_association" "web" {
  subnet_id                 = azurerm_subnet.web.id
  network_security_group_id = azurerm_network_security_group.web.id
}

resource "azurerm_storage_account" "backup" {
  name                            = "stsite${substr(sha1(azurerm_resource_group.site.id), 0, 10)}"
  resource_group_name             = azurerm_resource_group.site.name
  location                        = azurerm_resource_group.site.location
  account_tier                    = "Standard"
  account_replication_type        = "LRS"
  min_tls_version                 = "TLS1_2"
  allow_nested_items_to_be_public = false
}

output "nsg" {
  value = azurerm_network_security_group.web.name
}
EOF

terraform init -input=false
terraform validate
terraform plan -input=false -out=tfplan

nsg="$(terraform output -raw nsg)"
src="$(az network nsg rule show --resource-group rg-site --nsg-name "$nsg" --name allow-ssh \
  --query sourceAddressPrefix --output tsv)"
[ "$src" = "$ADMIN_CIDR" ] || { echo "SSH is open to ${src}" >&2; exit 1; }
