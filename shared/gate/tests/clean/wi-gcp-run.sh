#!/usr/bin/env bash
set -euo pipefail
mkdir -p gcp && cd gcp
cat > versions.tf <<'EOF'
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "6.14.1"
    }
  }
}
EOF
cat > main.tf <<'EOF'
variable "project" {
  type    = string
  default = "acme-prod-1"
}
provider "google" {
  project = var.project
  region  = "europe-west3"
}
resource "google_compute_network" "vpc" {
  name                    = "app"
  auto_create_subnetworks = false
}
resource "google_compute_subnetwork" "app" {
  name                     = "app"
  network                  = google_compute_network.vpc.id
  ip_cidr_range            = "10.60.0.0/20"
  private_ip_google_access = true
}
resource "google_compute_firewall" "iap_ssh" {
  name          = "allow-iap-ssh"
  network       = google_compute_network.vpc.name
  source_ranges = ["35.235.240.0/20"]
  target_tags   = ["app"]
  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
}
resource "google_service_account" "app" {
  account_id   = "app-runner"
  display_name = "App runner"
}
resource "google_compute_instance" "app" {
  name         = "app-1"
  machine_type = "e2-small"
  zone         = "europe-west3-a"
  tags         = ["app"]
  boot_disk {
    initialize_params {
      image = "debian-cloud/debian-12"
      size  = 20
    }
  }
  network_interface {
    subnetwork = google_compute_subnetwork.app.id
  }
  service_account {
    email  = google_service_account.app.email
    scopes = ["cloud-platform"]
  }
}
check "subnet_is_private" {
  assert {
    condition     = startswith(google_compute_subnetwork.app.ip_cidr_range, "10.")
    error_message = "The subnet must be in 10.0.0.0/8."
  }
}
EOF
terraform init -input=false
terraform plan -input=false -out=tfplan
terraform show -no-color tfplan >/dev/null
