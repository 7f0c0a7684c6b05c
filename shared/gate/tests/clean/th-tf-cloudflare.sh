#!/usr/bin/env bash
set -euo pipefail
: "${SITE_DOMAIN:?set SITE_DOMAIN, a zone you have at Cloudflare}"
: "${SITE_IP:?set SITE_IP, the address of the web server}"
export TF_VAR_domain="$SITE_DOMAIN" TF_VAR_web_ip="$SITE_IP"

mkdir -p dns
cd dns

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.5.0"
  required_providers {
    cloudflare = {
      source  = "cloudflare/cloudflare"
      version = "~> 4.48"
    }
  }
}

# CLOUDFLARE_API_TOKEN is read from the environment.
provider "cloudflare" {}

variable "domain" {
  type = string
}

variable "web_ip" {
  type = string
}

data "cloudflare_zone" "site" {
  name = var.domain
}

locals {
  hosts = toset([var.domain, "www"])
}

resource "cloudflare_record" "web" {
  for_each = local.hosts
  zone_id  = data.cloudflare_zone.site.id
  name     = each.value
  type     = "A"
  content  = var.web_ip
  proxied  = true
}

resource "cloudflare_record" "caa" {
  zone_id = data.cloudflare_zone.site.id
  name    = var.domain
  type    = "CAA"
  ttl     = 3600
  data {
    flags = "0"
    tag   = "issue"
    value = "letsencrypt.org"
  }
}

resource "cloudflare_zone_settings_override" "site" {
  zone_id = data.cloudflare_zone.site.id
  settings {
    ssl                      = "strict"
    always_use_https         = "on"
    min_tls_version          = "1.2"
    automatic_https_rewrites = "on"
  }
}

output "record_ids" {
  value = { for k, r in cloudflare_record.web : k => r.id }
}

output "zone_id" {
  value = data.cloudflare_zone.site.id
}
EOF

terraform init -input=false
terraform validate
terraform plan -input=false -out=tfplan

zone_id="$(terraform output -raw zone_id)"
ssl="$(curl -fsS -H "Authorization: Bearer ${CLOUDFLARE_API_TOKEN}" \
  "https://api.cloudflare.com/client/v4/zones/${zone_id}/settings/ssl" | jq -r '.result.value')"
[[ "$ssl" == "strict" ]]
terraform output -json record_ids | jq -e 'length == 2' > /dev/null
