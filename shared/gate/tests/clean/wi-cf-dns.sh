#!/usr/bin/env bash
set -euo pipefail

mkdir -p dns && cd dns
cat > main.tf <<'EOF'
terraform {
  required_providers {
    cloudflare = {
      source  = "cloudflare/cloudflare"
      version = "4.48.0"
    }
  }
}

provider "cloudflare" {}

variable "zone_id" {
  type    = string
  default = "0123456789abcdef0123456789abcdef"
}

variable "records" {
  type = map(object({
    type    = string
    content = string
    proxied = optional(bool, false)
    ttl     = optional(number, 1)
  }))
  default = {
    "www" = { type = "A", content = "203.0.113.10", proxied = true }
    "api" = { type = "CNAME", content = "www.example.com" }
    "@"   = { type = "TXT", content = "v=spf1 -all", ttl = 3600 }
  }
}

resource "cloudflare_record" "this" {
  for_each = var.records
  zone_id  = var.zone_id
  name     = each.key
  type     = each.value.type
  content  = each.value.content
  proxied  = each.value.proxied
  ttl      = each.value.ttl
}

moved {
  from = cloudflare_record.www
  to   = cloudflare_record.this["www"]
}

output "hostnames" {
  value = sort([for r in cloudflare_record.this : r.hostname])
}
EOF
terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
