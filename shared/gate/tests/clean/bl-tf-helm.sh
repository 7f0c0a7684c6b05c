#!/usr/bin/env bash
set -euo pipefail

cat > main.tf <<'EOF'
terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = "~> 2.17"
    }
  }
}

provider "helm" {
  kubernetes {
    config_path = "~/.kube/config"
  }
}

resource "helm_release" "cert_manager" {
  name             = "cert-manager"
  repository       = "https://charts.jetstack.io"
  chart            = "cert-manager"
  version          = "v1.16.2"
  namespace        = "cert-manager"
  create_namespace = true
  atomic           = true

  set {
    name  = "crds.enabled"
    value = "true"
  }
}

output "status" {
  value = helm_release.cert_manager.status
}
EOF

terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
