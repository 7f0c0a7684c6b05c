# The application servers behind the balancer, and the firewall that lets only the balancer reach the application.
variable "app_servers" {
  description = "How many application servers there are."
  type        = number

  validation {
    condition     = var.app_servers >= 2 && var.app_servers <= 3 && floor(var.app_servers) == var.app_servers
    error_message = "Choose two or three application servers."
  }
}

locals {
  app_port = 8080
}

resource "hcloud_firewall" "app" {
  name   = "${var.name}-app"
  labels = local.labels

  rule {
    description = "SSH"
    direction   = "in"
    protocol    = "tcp"
    port        = "22"
    source_ips  = var.allowed_ssh_cidrs
  }

  rule {
    description = "The application, for the balancer alone"
    direction   = "in"
    protocol    = "tcp"
    port        = tostring(local.app_port)
    source_ips  = ["${hcloud_server.this.ipv4_address}/32"]
  }
}

resource "hcloud_server" "app" {
  count = var.app_servers

  name         = "${var.name}-app-${count.index + 1}"
  image        = "debian-13"
  server_type  = var.server_type
  location     = var.location
  ssh_keys     = [hcloud_ssh_key.this.id]
  firewall_ids = [hcloud_firewall.app.id]
  labels       = local.labels

  user_data = templatefile("${path.module}/cloud-init.yaml", {
    public_key = local.public_key
  })

  # A newer image or another first boot must not replace a server that is in use.
  lifecycle {
    ignore_changes = [image, user_data, ssh_keys]
  }
}

output "app_ips" {
  description = "Public IPv4 addresses of the application servers."
  value       = hcloud_server.app[*].ipv4_address
}
