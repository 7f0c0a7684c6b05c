#!/usr/bin/env bash
# Hetzner: server, firewall, volume; cloud-init makes the deploy user and turns on automatic security updates.
set -euo pipefail

: "${HCLOUD_TOKEN:?}" "${ADMIN_IP:?the address from which you use SSH}"
export TF_VAR_admin_ip=$ADMIN_IP
key=${SSH_PUBLIC_KEY:-$HOME/.ssh/id_ed25519.pub}
ssh-keygen -l -f "$key" > /dev/null
TF_VAR_public_key=$(cat "$key")
export TF_VAR_public_key

mkdir -p ~/workspace/hetzner-shop/templates
cd ~/workspace/hetzner-shop

cat > templates/cloud-init.yaml.tftpl <<'EOF'
#cloud-config
users:
  - name: deploy
    groups: [sudo]
    shell: /bin/bash
    lock_passwd: true
    sudo: "ALL=(ALL) NOPASSWD:ALL"
    ssh_authorized_keys:
      - ${jsonencode(public_key)}
disable_root: true
ssh_pwauth: false
package_update: true
packages: ${jsonencode(packages)}
write_files:
  - path: /etc/ssh/sshd_config.d/10-shop.conf
    permissions: "0644"
    content: |
      PermitRootLogin no
      PasswordAuthentication no
      KbdInteractiveAuthentication no
  - path: /etc/apt/apt.conf.d/52shop
    permissions: "0644"
    content: |
      Unattended-Upgrade::Automatic-Reboot "true";
      Unattended-Upgrade::Automatic-Reboot-Time "03:30";
  - path: /etc/systemd/system/srv.mount
    permissions: "0644"
    content: |
      [Unit]
      Description=Volume of the shop
      [Mount]
      What=${volume_device}
      Where=/srv
      Type=ext4
      Options=defaults,nofail,discard
      [Install]
      WantedBy=multi-user.target
runcmd:
  - [sshd, -t]
  - [systemctl, reload, ssh]
  - [systemctl, enable, --now, unattended-upgrades]
  - [systemctl, daemon-reload]
  - [systemctl, enable, srv.mount]
EOF

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.6.0"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "1.49.1"
    }
  }
}

provider "hcloud" {}

variable "admin_ip" {
  type = string
  validation {
    condition     = can(cidrhost("${var.admin_ip}/32", 0))
    error_message = "An IPv4 address is needed."
  }
}

variable "public_key" { type = string }

locals {
  rules = [
    { port = "22", from = ["${var.admin_ip}/32"], why = "SSH of the administrator" },
    { port = "80", from = ["0.0.0.0/0", "::/0"], why = "HTTP, redirects" },
    { port = "443", from = ["0.0.0.0/0", "::/0"], why = "HTTPS" },
  ]
}

resource "hcloud_firewall" "shop" {
  name = "shop"

  dynamic "rule" {
    for_each = local.rules
    content {
      direction   = "in"
      protocol    = "tcp"
      port        = rule.value.port
      source_ips  = rule.value.from
      description = rule.value.why
    }
  }

  rule {
    direction  = "in"
    protocol   = "icmp"
    source_ips = ["0.0.0.0/0", "::/0"]
  }
}

resource "hcloud_ssh_key" "admin" {
  name       = "shop-admin"
  public_key = var.public_key
}

resource "hcloud_volume" "data" {
  name              = "shop-data"
  size              = 40
  location          = "fsn1"
  format            = "ext4"
  delete_protection = true
  lifecycle { prevent_destroy = true }
}

resource "hcloud_server" "shop" {
  name         = "shop"
  server_type  = "cx32"
  image        = "debian-12"
  location     = "fsn1"
  backups      = true
  ssh_keys     = [hcloud_ssh_key.admin.id]
  firewall_ids = [hcloud_firewall.shop.id]
  user_data = templatefile("${path.module}/templates/cloud-init.yaml.tftpl", {
    public_key    = var.public_key
    volume_device = hcloud_volume.data.linux_device
    packages      = ["unattended-upgrades", "nginx", "certbot"]
  })
  delete_protection  = true
  rebuild_protection = true

  lifecycle {
    # A new text would build the server anew.
    ignore_changes = [user_data, ssh_keys, image]
  }
}

resource "hcloud_volume_attachment" "data" {
  volume_id = hcloud_volume.data.id
  server_id = hcloud_server.shop.id
  automount = false
}

resource "hcloud_rdns" "shop" {
  server_id  = hcloud_server.shop.id
  ip_address = hcloud_server.shop.ipv4_address
  dns_ptr    = "shop.example.org"
}

output "address" {
  value = hcloud_server.shop.ipv4_address
}
EOF

terraform init -input=false
terraform fmt -check
terraform validate
terraform plan -input=false -out=tfplan

address=$(terraform output -raw address)
for _ in {1..30}; do
  if ssh -o BatchMode=yes -o ConnectTimeout=5 -o StrictHostKeyChecking=accept-new "deploy@$address" cloud-init status --wait; then
    # The volume is attached after the first start.
    ssh -o BatchMode=yes "deploy@$address" 'sudo systemctl start srv.mount && mountpoint /srv'
    exit 0
  fi
  sleep 10
done
echo "cloud-init did not finish on $address" >&2
exit 1
