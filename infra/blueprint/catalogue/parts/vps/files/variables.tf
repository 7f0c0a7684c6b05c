variable "name" {
  description = "Name of the server; prefix of everything made here."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,38}[a-z0-9]$", var.name))
    error_message = "Use 2 to 40 lower-case letters, digits and dashes, starting with a letter."
  }
}

variable "location" {
  description = "Hetzner location, such as nbg1."
  type        = string
}

variable "server_type" {
  description = "Hetzner server type, such as cx23."
  type        = string
}

variable "allowed_ssh_cidrs" {
  description = "IPv4 networks that may connect to port 22."
  type        = set(string)

  validation {
    condition     = length(var.allowed_ssh_cidrs) > 0 && alltrue([for cidr in var.allowed_ssh_cidrs : can(cidrhost(cidr, 0))])
    error_message = "Name at least one network, each in CIDR notation such as 203.0.113.7/32."
  }
}

variable "open_ports" {
  description = "TCP ports that everybody may connect to."
  type        = set(string)
  default     = []
}

variable "public_key_file" {
  description = "Public half of the SSH key, relative to this directory."
  type        = string
}
