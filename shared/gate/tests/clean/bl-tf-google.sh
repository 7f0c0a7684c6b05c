#!/usr/bin/env bash
set -euo pipefail

export TF_VAR_project="${GOOGLE_PROJECT:?set GOOGLE_PROJECT}"

cat > main.tf <<'EOF'
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 6.14"
    }
  }
}

variable "project" {
  type = string
}

provider "google" {
  project = var.project
  region  = "europe-west3"
}

resource "google_compute_network" "main" {
  name                    = "main"
  auto_create_subnetworks = false
}

resource "google_compute_subnetwork" "app" {
  name          = "app"
  network       = google_compute_network.main.id
  ip_cidr_range = "10.40.0.0/24"
}

resource "google_compute_firewall" "https" {
  name          = "allow-https"
  network       = google_compute_network.main.name
  source_ranges = ["0.0.0.0/0"]
  target_tags   = ["web"]

  allow {
    protocol = "tcp"
    ports    = ["443"]
  }
}

resource "google_compute_firewall" "iap_ssh" {
  name          = "allow-iap-ssh"
  network       = google_compute_network.main.name
  source_ranges = ["35.235.240.0/20"]

  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
}

resource "google_compute_instance" "web" {
  name         = "web"
  machine_type = "e2-small"
  zone         = "europe-west3-a"
  tags         = ["web"]

  boot_disk {
    initialize_params {
      image = "debian-cloud/debian-12"
    }
  }

  network_interface {
    subnetwork = google_compute_subnetwork.app.id

    access_config {}
  }
}

output "ip" {
  value = google_compute_instance.web.network_interface[0].access_config[0].nat_ip
}
EOF

terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
