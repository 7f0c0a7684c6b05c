variable "name" {
  description = "Name of the site; prefix of everything made here."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,38}[a-z0-9]$", var.name))
    error_message = "Use 2 to 40 lower-case letters, digits and dashes, starting with a letter."
  }
}

variable "region" {
  description = "AWS region of the bucket."
  type        = string
}

variable "domain" {
  description = "Full name under which the site is reached; none for CloudFront's own address."
  type        = string
  default     = "none"

  validation {
    condition     = var.domain == "none" || can(regex("^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$", var.domain))
    error_message = "Use a full name such as www.example.com, or none."
  }
}
