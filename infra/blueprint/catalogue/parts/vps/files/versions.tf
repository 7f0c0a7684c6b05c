terraform {
  required_version = ">= 1.5"

  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "~> @version_terraform_hcloud@"
    }
  }
}

# The token comes from the environment variable HCLOUD_TOKEN and is written nowhere.
provider "hcloud" {}
