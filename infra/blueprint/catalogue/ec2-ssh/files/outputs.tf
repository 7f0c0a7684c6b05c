output "instance_id" {
  description = "Id of the instance."
  value       = aws_instance.this.id
}

output "public_ip" {
  description = "Public IPv4 address; it changes when the instance is stopped and started."
  value       = aws_instance.this.public_ip
}

output "ssh_user" {
  description = "Login of Debian's images."
  value       = "admin"
}
