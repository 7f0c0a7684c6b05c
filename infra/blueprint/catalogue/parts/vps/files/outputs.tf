output "server_id" {
  description = "Id of the server."
  value       = hcloud_server.this.id
}

output "public_ip" {
  description = "Public IPv4 address; it stays as long as the server exists."
  value       = hcloud_server.this.ipv4_address
}

output "ssh_user" {
  description = "Login that cloud-init makes."
  value       = "deploy"
}
