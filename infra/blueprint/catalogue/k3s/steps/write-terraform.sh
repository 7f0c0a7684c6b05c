#@write nodes.tf terraform/nodes.tf
#@write cluster.auto.tfvars terraform/cluster.auto.tfvars
