#!/usr/bin/env bash
set -euo pipefail

mkdir -p modules/site
cat > modules/site/main.tf <<'EOF'
variable "name" {
  type = string
}

variable "port" {
  type    = number
  default = 8080
}

resource "local_file" "conf" {
  filename = "${path.root}/out/${var.name}.conf"
  content  = templatefile("${path.module}/site.tftpl", { name = var.name, port = var.port })
}

output "path" {
  value = local_file.conf.filename
}
EOF

cat > modules/site/site.tftpl <<'EOF'
server {
    listen ${port};
    server_name ${name}.example.com;
}
EOF

cat > main.tf <<'EOF'
terraform {
  required_providers {
    local = {
      source  = "hashicorp/local"
      version = "~> 2.5"
    }
  }
}

locals {
  sites = {
    shop = 8081
    blog = 8082
  }
}

module "site" {
  source   = "./modules/site"
  for_each = local.sites
  name     = each.key
  port     = each.value
}

output "paths" {
  value = { for k, m in module.site : k => m.path }
}
EOF

terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
