output "site_host" {
  description = "Name under which the site is reached."
  value       = local.own_domain ? var.domain : aws_cloudfront_distribution.site.domain_name
}

output "distribution_host" {
  description = "CloudFront's own name of the site."
  value       = aws_cloudfront_distribution.site.domain_name
}

output "distribution_id" {
  description = "Id of the distribution, for invalidations."
  value       = aws_cloudfront_distribution.site.id
}

output "bucket" {
  description = "Bucket with the site's files."
  value       = aws_s3_bucket.site.id
}

output "region" {
  description = "Region of the bucket."
  value       = var.region
}
