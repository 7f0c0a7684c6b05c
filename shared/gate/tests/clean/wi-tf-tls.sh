#!/usr/bin/env bash
set -euo pipefail
mkdir -p pki && cd pki
cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.10.0"
  required_providers {
    tls = {
      source  = "hashicorp/tls"
      version = "4.0.6"
    }
    random = {
      source  = "hashicorp/random"
      version = "3.6.3"
    }
  }
}
resource "random_password" "db" {
  length           = 32
  special          = true
  override_special = "!#%&*()-_=+[]{}<>:?"
  keepers = {
    rotation = "2025-01"
  }
}
resource "random_id" "suffix" {
  byte_length = 4
}
resource "tls_private_key" "ca" {
  algorithm   = "ECDSA"
  ecdsa_curve = "P384"
}
resource "tls_self_signed_cert" "ca" {
  private_key_pem       = tls_private_key.ca.private_key_pem
  is_ca_certificate     = true
  validity_period_hours = 24 * 365
  early_renewal_hours   = 24 * 30
  allowed_uses          = ["cert_signing", "crl_signing"]
  subject {
    common_name  = "Acme internal CA ${random_id.suffix.hex}"
    organization = "Acme"
  }
}
output "ca_pem" {
  value = tls_self_signed_cert.ca.cert_pem
}
output "db_password" {
  value     = random_password.db.result
  sensitive = true
}
EOF
terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
