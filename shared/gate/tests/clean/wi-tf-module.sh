#!/usr/bin/env bash
set -euo pipefail
mkdir -p platform/modules/site && cd platform
cat > modules/site/variables.tf <<'EOF'
variable "name" {
  type = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,20}$", var.name))
    error_message = "Lower case letters, digits and dashes only."
  }
}
variable "labels" {
  type    = map(string)
  default = {}
}
variable "replicas" {
  type     = number
  default  = 1
  nullable = false
}
EOF
cat > modules/site/main.tf <<'EOF'
terraform {
  required_providers {
    kubernetes = {
      source = "hashicorp/kubernetes"
    }
  }
}
locals {
  labels = merge(var.labels, { "app.kubernetes.io/name" = var.name })
}
resource "kubernetes_namespace_v1" "this" {
  metadata {
    name   = var.name
    labels = local.labels
  }
}
resource "kubernetes_config_map_v1" "index" {
  metadata {
    name      = "index"
    namespace = kubernetes_namespace_v1.this.metadata[0].name
  }
  data = {
    "index.html"   = "<h1>${var.name} costs $${price}</h1>"
    "settings.json" = jsonencode({ replicas = var.replicas, labels = local.labels })
  }
}
EOF
cat > modules/site/outputs.tf <<'EOF'
output "namespace" {
  value = kubernetes_namespace_v1.this.metadata[0].name
}
EOF
cat > main.tf <<'EOF'
terraform {
  required_providers {
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = "2.35.1"
    }
  }
}
provider "kubernetes" {
  config_path = "~/.kube/config"
}
module "site" {
  source   = "./modules/site"
  for_each = tomap({ shop = 2, blog = 1 })
  name     = each.key
  replicas = each.value
  labels   = { team = "web" }
}
output "namespaces" {
  value = { for k, m in module.site : k => m.namespace }
}
EOF
terraform init -input=false
terraform validate
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
