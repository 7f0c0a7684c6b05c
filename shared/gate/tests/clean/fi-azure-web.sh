#!/usr/bin/env bash
# Azure configuration: network, security group, virtual machine. Written and validated here.
set -euo pipefail
mkdir -p azure
cd azure
cat > main.tf <<'EOF'
terraform {
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "~> 3.110"
    }
  }
}
provider "azurerm" {
  features {}
}
variable "admin_cidr" { type = string }
variable "ssh_public_key" { type = string }

resource "azurerm_resource_group" "site" {
  name     = "rg-site"
  location = "westeurope"
}
resource "azurerm_virtual_network" "site" {
  name                = "vnet-site"
  resource_group_name = azurerm_resource_group.site.name
  location            = azurerm_resource_group.site.location
  address_space       = ["10.30.0.0/16"]
}
resource "azurerm_subnet" "web" {
  name                 = "web"
  resource_group_name  = azurerm_resource_group.site.name
  virtual_network_name = azurerm_virtual_network.site.name
  address_prefixes     = ["10.30.1.0/24"]
}
EOF
cat > nsg.tf <<'EOF'
resource "azurerm_network_security_group" "web" {
  name                = "nsg-web"
  resource_group_name = azurerm_resource_group.site.name
  location            = azurerm_resource_group.site.location
  security_rule {
    name                       = "ssh-admin"
    priority                   = 100
    direction                  = "Inbound"
    access                     = "Allow"
    protocol                   = "Tcp"
    source_port_range          = "*"
    destination_port_range     = "22"
    source_address_prefix      = var.admin_cidr
    destination_address_prefix = "*"
  }
  security_rule {
    name                       = "web"
    priority                   = 110
    direction                  = "Inbound"
    access                     = "Allow"
    protocol                   = "Tcp"
    source_port_range          = "*"
    destination_port_ranges    = ["80", "443"]
    source_address_prefix      = "Internet"
    destination_address_prefix = "*"
  }
}
resource "azurerm_subnet_network_security_group_association" "web" {
  subnet_id                 = azurerm_subnet.web.id
  network_security_group_id = azurerm_network_security_group.web.id
}
resource "azurerm_public_ip" "web" {
  name                = "pip-web"
  resource_group_name = azurerm_resource_group.site.name
  location            = azurerm_resource_group.site.location
  allocation_method   = "Static"
  sku                 = "Standard"
}
EOF
terraform init -input=false -backend=false
terraform validate
grep -q 'source_address_prefix *= var.admin_cidr' nsg.tf
