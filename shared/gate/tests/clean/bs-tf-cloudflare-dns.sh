#!/usr/bin/env bash
# Plan DNS records and TLS settings of the shop's zone at Cloudflare.
set -euo pipefail

: "${CLOUDFLARE_API_TOKEN:?set CLOUDFLARE_API_TOKEN}"
: "${SHOP_DOMAIN:?set SHOP_DOMAIN, e.g. shop.example}"
: "${SHOP_IPV4:?set SHOP_IPV4 to the address of the server}"

work="${WORK_DIR:-$PWD/cloudflare-dns}"
mkdir -p "$work"
cd "$work"

cat > main.tf <<'EOF'
terraform {
  required_version = "~> 1.9"
  required_providers {
    cloudflare = {
      source  = "cloudflare/cloudflare"
      version = "4.45.0"
    }
  }
}

provider "cloudflare" {}

variable "domain" {
  type = string
}

variable "ipv4" {
  type = string
}

data "cloudflare_zone" "shop" {
  name = var.domain
}

locals {
  hosts = toset(["@", "www"])
}

resource "cloudflare_record" "web" {
  for_each = local.hosts
  zone_id  = data.cloudflare_zone.shop.id
  name     = each.key
  type     = "A"
  content  = var.ipv4
  ttl      = 1
  proxied  = true
}

resource "cloudflare_record" "caa" {
  zone_id = data.cloudflare_zone.shop.id
  name    = "@"
  type    = "CAA"
  ttl     = 3600

  data {
    flags = 0
    tag   = "issue"
    value = "letsencrypt.org"
  }
}

resource "cloudflare_zone_settings_override" "shop" {
  zone_id = data.cloudflare_zone.shop.id

  settings {
    ssl                      = "strict"
    always_use_https         = "on"
    min_tls_version          = "1.2"
    automatic_https_rewrites = "on"
  }
}

resource "cloudflare_ruleset" "admin" {
  zone_id = data.cloudflare_zone.shop.id
  name    = "challenge the admin area"
  kind    = "zone"
  phase   = "http_request_firewall_custom"

  rules {
    action      = "managed_challenge"
    expression  = "starts_with(http.request.uri.path, \"/admin\")"
    description = "challenge /admin"
    enabled     = true
  }
}

output "records" {
  value = { for k, r in cloudflare_record.web : k => r.hostname }
}
EOF

export TF_IN_AUTOMATION=1 TF_VAR_domain="$SHOP_DOMAIN" TF_VAR_ipv4="$SHOP_IPV4"
terraform fmt -check -diff
terraform init -input=false
terraform validate -no-color
terraform plan -input=false -lock-timeout=60s -out=dns.tfplan

# Proof: both records point to the server, and nothing is removed.
plan_json="$(terraform show -json dns.tfplan)"
jq -e --arg ip "$SHOP_IPV4" '[.planned_values.root_module.resources[]
  | select(.type == "cloudflare_record" and .name == "web") | .values.content]
  | length == 2 and all(. == $ip)' <<< "$plan_json" > /dev/null
jq -e '[.resource_changes[].change.actions[] | select(. == "delete")] == []' <<< "$plan_json" > /dev/null
echo "plan ready: $work/dns.tfplan"
