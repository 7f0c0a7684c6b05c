# The servers beside the first, and the private network on which the nodes of the cluster speak.
variable "servers" {
  description = "How many servers the cluster has, the first included."
  type        = number

  validation {
    condition     = var.servers >= 1 && var.servers <= 3 && floor(var.servers) == var.servers
    error_message = "Choose one, two or three servers."
  }
}

# Hetzner's firewall does not see this network; each server's own firewall does.
resource "hcloud_network" "cluster" {
  name     = var.name
  ip_range = "10.77.0.0/24"
  labels   = local.labels
}

data "hcloud_location" "cluster" {
  name = var.location
}

resource "hcloud_network_subnet" "cluster" {
  network_id   = hcloud_network.cluster.id
  type         = "cloud"
  network_zone = data.hcloud_location.cluster.network_zone
  ip_range     = "10.77.0.0/24"
}

resource "hcloud_server_network" "first" {
  server_id = hcloud_server.this.id
  subnet_id = hcloud_network_subnet.cluster.id
  ip        = "10.77.0.11"
}

resource "hcloud_server" "agent" {
  count = var.servers - 1

  name         = "${var.name}-${count.index + 2}"
  image        = "debian-13"
  server_type  = var.server_type
  location     = var.location
  ssh_keys     = [hcloud_ssh_key.this.id]
  firewall_ids = [hcloud_firewall.this.id]
  labels       = local.labels

  user_data = templatefile("${path.module}/cloud-init.yaml", {
    public_key = local.public_key
  })

  lifecycle {
    ignore_changes = [image, user_data, ssh_keys]
  }
}

resource "hcloud_server_network" "agent" {
  count = var.servers - 1

  server_id = hcloud_server.agent[count.index].id
  subnet_id = hcloud_network_subnet.cluster.id
  ip        = "10.77.0.${count.index + 12}"
}

output "agent_ips" {
  description = "Public IPv4 addresses of the further servers."
  value       = hcloud_server.agent[*].ipv4_address
}
