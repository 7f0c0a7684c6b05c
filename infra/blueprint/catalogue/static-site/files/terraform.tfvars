name   = "@name@"
region = "@region@"
domain = "@site_domain@"
