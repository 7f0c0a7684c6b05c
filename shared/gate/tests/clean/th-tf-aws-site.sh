#!/usr/bin/env bash
set -euo pipefail
# Static site bucket behind CloudFront, reachable over HTTPS only through the distribution.
: "${SITE_BUCKET:?set SITE_BUCKET to a globally unique bucket name}"
export TF_VAR_bucket_name="$SITE_BUCKET"
export TF_VAR_region="$AWS_REGION"

mkdir -p infra/cdn && cd infra/cdn

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.6"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.82.2"
    }
  }
}

provider "aws" {
  region = var.region
}

variable "region" {
  type = string
}

variable "bucket_name" {
  type = string
}

locals {
  origin_id = "s3-${var.bucket_name}"
  tags = {
    project = "site"
    managed = "terraform"
  }
}

resource "aws_s3_bucket" "site" {
  bucket = var.bucket_name
  tags   = local.tags
}

resource "aws_s3_bucket_public_access_block" "site" {
  bucket                  = aws_s3_bucket.site.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_versioning" "site" {
  bucket = aws_s3_bucket.site.id
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_cloudfront_origin_access_control" "site" {
  name                              = "site-oac"
  origin_access_control_origin_type = "s3"
  signing_behavior                  = "always"
  signing_protocol                  = "sigv4"
}

data "aws_cloudfront_cache_policy" "optimized" {
  name = "Managed-CachingOptimized"
}

resource "aws_cloudfront_distribution" "site" {
  enabled             = true
  default_root_object = "index.html"
  tags                = local.tags

  origin {
    domain_name              = aws_s3_bucket.site.bucket_regional_domain_name
    origin_id                = local.origin_id
    origin_access_control_id = aws_cloudfront_origin_access_control.site.id
  }

  default_cache_behavior {
    target_origin_id       = local.origin_id
    viewer_protocol_policy = "redirect-to-https"
    allowed_methods        = ["GET", "HEAD"]
    cached_methods         = ["GET", "HEAD"]
    cache_policy_id        = data.aws_cloudfront_cache_policy.optimized.id
  }

  restrictions {
    geo_restriction {
      restriction_type = "none"
    }
  }

  viewer_certificate {
    cloudfront_default_certificate = true
  }
}

data "aws_iam_policy_document" "site" {
  statement {
    actions   = ["s3:GetObject"]
    resources = ["${aws_s3_bucket.site.arn}/*"]
    principals {
      type        = "Service"
      identifiers = ["cloudfront.amazonaws.com"]
    }
    condition {
      test     = "StringEquals"
      variable = "AWS:SourceArn"
      values   = [aws_cloudfront_distribution.site.arn]
    }
  }
}

resource "aws_s3_bucket_policy" "site" {
  bucket = aws_s3_bucket.site.id
  policy = data.aws_iam_policy_document.site.json
}

output "domain" {
  value = aws_cloudfront_distribution.site.domain_name
}
EOF

terraform init -input=false
terraform validate
terraform plan -input=false -out=tfplan

printf '<!doctype html><title>site</title><p>It works\n' > index.html
aws s3 cp index.html "s3://${SITE_BUCKET}/index.html" --content-type text/html
curl -fsS --retry 10 --retry-delay 15 --retry-all-errors "https://$(terraform output -raw domain)/" | grep -q 'It works'
