name              = "@name@"
location          = "@location@"
server_type       = "@server_type@"
allowed_ssh_cidrs = [@cidr_list@]
open_ports        = [@open_ports_tf@]
public_key_file   = "../ssh/@name@_ed25519.pub"
