#!/usr/bin/env bash
set -euo pipefail

mkdir -p ingress && cd ingress
cat > values.yaml <<'EOF'
controller:
  replicaCount: 2
  service:
    type: LoadBalancer
    externalTrafficPolicy: Local
  metrics:
    enabled: true
EOF
cat > main.tf <<'EOF'
terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = "2.17.0"
    }
  }
}

provider "helm" {
  kubernetes {
    config_path = pathexpand("~/.kube/config")
  }
}

variable "chart_version" {
  type    = string
  default = "4.11.3"
}

resource "helm_release" "ingress" {
  name             = "ingress-nginx"
  repository       = "https://kubernetes.github.io/ingress-nginx"
  chart            = "ingress-nginx"
  version          = var.chart_version
  namespace        = "ingress-nginx"
  create_namespace = true
  atomic           = true
  timeout          = 300
  values           = [file("${path.module}/values.yaml")]

  set {
    name  = "controller.admissionWebhooks.enabled"
    value = "true"
  }
}
EOF
terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
