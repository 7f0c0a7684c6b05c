name              = "@name@"
region            = "@region@"
instance_type     = "@instance_type@"
architecture      = "@architecture@"
root_volume_gb    = @volume_gb@
allowed_ssh_cidrs = [@cidr_list@]
public_key_file   = "../ssh/@name@_ed25519.pub"
