variable "name" {
  description = "Name of the server; prefix of everything made here."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,38}[a-z0-9]$", var.name))
    error_message = "Use 2 to 40 lower-case letters, digits and dashes, starting with a letter."
  }
}

variable "region" {
  description = "AWS region."
  type        = string
}

variable "instance_type" {
  description = "EC2 instance type."
  type        = string
  default     = "t3.micro"
}

variable "architecture" {
  description = "CPU architecture of the instance type, as Debian names it."
  type        = string
  default     = "amd64"

  validation {
    condition     = contains(["amd64", "arm64"], var.architecture)
    error_message = "The architecture is amd64 or arm64."
  }
}

variable "root_volume_gb" {
  description = "Size of the encrypted root volume in GB."
  type        = number
  default     = 10

  validation {
    condition     = var.root_volume_gb >= 8 && var.root_volume_gb <= 16384
    error_message = "The root volume has 8 to 16384 GB."
  }
}

variable "allowed_ssh_cidrs" {
  description = "IPv4 networks that may connect to port 22."
  type        = set(string)

  validation {
    condition     = length(var.allowed_ssh_cidrs) > 0 && alltrue([for cidr in var.allowed_ssh_cidrs : can(cidrhost(cidr, 0))])
    error_message = "Name at least one network, each in CIDR notation such as 203.0.113.7/32."
  }
}

variable "public_key_file" {
  description = "Public half of the SSH key, relative to this directory."
  type        = string
}
