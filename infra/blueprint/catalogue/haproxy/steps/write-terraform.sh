#@write apps.tf terraform/apps.tf
#@write apps.auto.tfvars terraform/apps.auto.tfvars
