locals {
  public_key = trimspace(file("${path.module}/${var.public_key_file}"))
  labels     = { project = var.name, managed-by = "terraform" }
}

resource "hcloud_ssh_key" "this" {
  name       = var.name
  public_key = local.public_key
  labels     = local.labels
}

# What no rule lets in is dropped before it reaches the server.
resource "hcloud_firewall" "this" {
  name   = var.name
  labels = local.labels

  rule {
    description = "SSH"
    direction   = "in"
    protocol    = "tcp"
    port        = "22"
    source_ips  = var.allowed_ssh_cidrs
  }

  rule {
    description = "Ping"
    direction   = "in"
    protocol    = "icmp"
    source_ips  = ["0.0.0.0/0", "::/0"]
  }

  dynamic "rule" {
    for_each = var.open_ports

    content {
      description = "Open to everybody"
      direction   = "in"
      protocol    = "tcp"
      port        = rule.value
      source_ips  = ["0.0.0.0/0", "::/0"]
    }
  }
}

resource "hcloud_server" "this" {
  name         = var.name
  image        = "debian-13"
  server_type  = var.server_type
  location     = var.location
  ssh_keys     = [hcloud_ssh_key.this.id]
  firewall_ids = [hcloud_firewall.this.id]
  labels       = local.labels

  user_data = templatefile("${path.module}/cloud-init.yaml", {
    public_key = local.public_key
  })

  # A newer image or another first boot must not replace a server that is in use.
  lifecycle {
    ignore_changes = [image, user_data, ssh_keys]
  }
}
