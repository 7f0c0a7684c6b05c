#!/usr/bin/env bash
set -euo pipefail
: "${GOOGLE_PROJECT:?set GOOGLE_PROJECT}"
: "${ADMIN_CIDR:?set ADMIN_CIDR}"
export TF_VAR_project="$GOOGLE_PROJECT" TF_VAR_admin_cidr="$ADMIN_CIDR"

mkdir -p gcp/templates && cd gcp

cat > templates/startup.sh.tftpl <<'EOF'
#!/bin/bash
set -euo pipefail
apt-get update
apt-get install -y nginx
echo "${greeting}" > /var/www/html/index.html
systemctl enable --now nginx
EOF

cat > main.tf <<'EOF'
terraform {
  required_version = ">= 1.6.0"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 6.14"
    }
  }
}

provider "google" {
  project = var.project
  region  = var.region
}

variable "project" {
  type = string
}

variable "region" {
  type    = string
  default = "europe-west3"
}

variable "admin_cidr" {
  type = string
}

resource "google_compute_network" "main" {
  name                    = "site"
  auto_create_subnetworks = false
}

resource "google_compute_subnetwork" "web" {
  name          = "web"
  ip_cidr_range = "10.60.1.0/24"
  network       = google_compute_network.main.id
}

resource "google_compute_firewall" "web" {
  name          = "allow-web"
  network       = google_compute_network.main.name
  source_ranges = ["0.0.0.0/0"]
  target_tags   = ["web"]
  allow {
    protocol = "tcp"
    ports    = ["80", "443"]
  }
}

resource "google_compute_firewall" "ssh" {
  name          = "allow-ssh-admin"
  network       = google_compute_network.main.name
  source_ranges = [var.admin_cidr]
  target_tags   = ["web"]
  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
}

resource "google_compute_address" "web" {
  name = "web"
}

resource "google_compute_instance" "web" {
  name         = "web-1"
  machine_type = "e2-small"
  zone         = "${var.region}-a"
  tags         = ["web"]

  boot_disk {
    initialize_params {
      image = "debian-cloud/debian-12"
      size  = 20
    }
  }

  network_interface {
    subnetwork = google_compute_subnetwork.web.id
    access_config {
      nat_ip = google_compute_address.web.address
    }
  }

  metadata_startup_script = templatefile("${path.module}/templates/startup.sh.tftpl", {
    greeting = "Hello from ${var.region}"
  })
}

output "ip" {
  value = google_compute_address.web.address
}
EOF

terraform init -input=false
terraform validate
terraform plan -input=false -out=tfplan

curl -fsS --retry 20 --retry-delay 10 --retry-all-errors "http://$(terraform output -raw ip)/" | grep -q 'Hello from'
ranges="$(gcloud compute firewall-rules describe allow-ssh-admin --project "$GOOGLE_PROJECT" --format='value(sourceRanges.list())')"
test "$ranges" = "$ADMIN_CIDR"
