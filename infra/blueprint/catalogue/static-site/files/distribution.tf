data "aws_cloudfront_cache_policy" "optimized" {
  name = "Managed-CachingOptimized"
}

resource "aws_cloudfront_origin_access_control" "site" {
  name                              = aws_s3_bucket.site.id
  description                       = "Signs what the distribution asks of the bucket"
  origin_access_control_origin_type = "s3"
  signing_behavior                  = "always"
  signing_protocol                  = "sigv4"
}

resource "aws_cloudfront_response_headers_policy" "site" {
  name    = aws_s3_bucket.site.id
  comment = "Headers that make browsers careful"

  security_headers_config {
    strict_transport_security {
      access_control_max_age_sec = 31536000
      override                   = true
    }

    content_type_options {
      override = true
    }

    frame_options {
      frame_option = "DENY"
      override     = true
    }

    referrer_policy {
      referrer_policy = "strict-origin-when-cross-origin"
      override        = true
    }
  }
}

# The bucket knows files only; visitors ask for folders too.
resource "aws_cloudfront_function" "folders" {
  name    = aws_s3_bucket.site.id
  comment = "Serves index.html for a folder"
  runtime = "cloudfront-js-2.0"
  publish = true
  code    = file("${path.module}/folders.js")
}

resource "aws_cloudfront_distribution" "site" {
  enabled             = true
  comment             = var.name
  is_ipv6_enabled     = true
  http_version        = "http2and3"
  price_class         = "PriceClass_100"
  default_root_object = "index.html"
  aliases             = local.own_domain ? [var.domain] : []

  origin {
    origin_id                = "bucket"
    domain_name              = aws_s3_bucket.site.bucket_regional_domain_name
    origin_access_control_id = aws_cloudfront_origin_access_control.site.id
  }

  default_cache_behavior {
    target_origin_id           = "bucket"
    viewer_protocol_policy     = "redirect-to-https"
    allowed_methods            = ["GET", "HEAD"]
    cached_methods             = ["GET", "HEAD"]
    compress                   = true
    cache_policy_id            = data.aws_cloudfront_cache_policy.optimized.id
    response_headers_policy_id = aws_cloudfront_response_headers_policy.site.id

    function_association {
      event_type   = "viewer-request"
      function_arn = aws_cloudfront_function.folders.arn
    }
  }

  custom_error_response {
    error_code            = 404
    response_code         = 404
    response_page_path    = "/404.html"
    error_caching_min_ttl = 60
  }

  restrictions {
    geo_restriction {
      restriction_type = "none"
    }
  }

  # CloudFront's own certificate takes no setting of the protocol.
  viewer_certificate {
    cloudfront_default_certificate = local.own_domain ? null : true
    acm_certificate_arn            = local.own_domain ? aws_acm_certificate_validation.site[0].certificate_arn : null
    ssl_support_method             = local.own_domain ? "sni-only" : null
    minimum_protocol_version       = local.own_domain ? "TLSv1.2_2021" : null
  }
}
