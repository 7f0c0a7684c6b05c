#!/usr/bin/env bash
set -euo pipefail

umask 077
cat > main.tf <<'EOF'
terraform {
  required_providers {
    tls = {
      source  = "hashicorp/tls"
      version = "~> 4.0"
    }
    local = {
      source  = "hashicorp/local"
      version = "~> 2.5"
    }
  }
}

resource "tls_private_key" "web" {
  algorithm   = "ECDSA"
  ecdsa_curve = "P256"
}

resource "tls_self_signed_cert" "web" {
  private_key_pem       = tls_private_key.web.private_key_pem
  validity_period_hours = 720
  dns_names             = ["dev.example.internal"]
  allowed_uses          = ["digital_signature", "server_auth"]

  subject {
    common_name = "dev.example.internal"
  }
}

resource "local_sensitive_file" "key" {
  filename        = "${path.module}/web.key"
  content         = tls_private_key.web.private_key_pem
  file_permission = "0600"
}

resource "local_file" "cert" {
  filename = "${path.module}/web.crt"
  content  = tls_self_signed_cert.web.cert_pem
}

output "cert_file" {
  value = local_file.cert.filename
}
EOF

terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
