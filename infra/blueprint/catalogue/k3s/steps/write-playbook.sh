
mkdir -p ansible/roles/k3s/{defaults,tasks,handlers,templates,files}

#@write cluster.yml ansible/cluster.yml
#@write k3s-defaults.yml ansible/roles/k3s/defaults/main.yml
#@write k3s-tasks.yml ansible/roles/k3s/tasks/main.yml
#@write k3s-handlers.yml ansible/roles/k3s/handlers/main.yml
#@write k3s-config.yaml.j2 ansible/roles/k3s/templates/config.yaml.j2
#@write k3s.service.j2 ansible/roles/k3s/templates/k3s.service.j2
#@write hello.yaml ansible/roles/k3s/files/hello.yaml
