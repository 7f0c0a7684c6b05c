# Only for a domain of one's own: its certificate, and the records that lead to the distribution.
locals {
  own_domain = var.domain != "none"

  # The longest public zone of this account that the domain belongs to.
  zones = {
    for zone in data.aws_route53_zone.each : trimsuffix(zone.name, ".") => zone.zone_id
    if !zone.private_zone && endswith(".${var.domain}", ".${trimsuffix(zone.name, ".")}")
  }
  lengths = [for name in keys(local.zones) : length(name)]
  zone_id = one([for name, id in local.zones : id if length(name) == max(0, local.lengths...)])
}

data "aws_route53_zones" "all" {
  count = local.own_domain ? 1 : 0
}

data "aws_route53_zone" "each" {
  for_each = toset(local.own_domain ? data.aws_route53_zones.all[0].ids : [])

  zone_id = each.value
}

resource "aws_acm_certificate" "site" {
  count    = local.own_domain ? 1 : 0
  provider = aws.us_east_1

  domain_name       = var.domain
  validation_method = "DNS"

  lifecycle {
    create_before_destroy = true

    precondition {
      condition     = length(local.zones) > 0
      error_message = "no hosted zone: Route 53 has no public zone in this account that ${var.domain} belongs to."
    }
  }
}

locals {
  proof = one([for option in flatten([for certificate in aws_acm_certificate.site : tolist(certificate.domain_validation_options)]) : option])
}

resource "aws_route53_record" "proof" {
  count = local.own_domain ? 1 : 0

  zone_id         = local.zone_id
  name            = local.proof.resource_record_name
  type            = local.proof.resource_record_type
  records         = [local.proof.resource_record_value]
  ttl             = 300
  allow_overwrite = true
}

resource "aws_acm_certificate_validation" "site" {
  count    = local.own_domain ? 1 : 0
  provider = aws.us_east_1

  certificate_arn         = aws_acm_certificate.site[0].arn
  validation_record_fqdns = [aws_route53_record.proof[0].fqdn]
}

resource "aws_route53_record" "site" {
  for_each = toset(local.own_domain ? ["A", "AAAA"] : [])

  zone_id = local.zone_id
  name    = var.domain
  type    = each.value

  alias {
    name                   = aws_cloudfront_distribution.site.domain_name
    zone_id                = aws_cloudfront_distribution.site.hosted_zone_id
    evaluate_target_health = false
  }
}
