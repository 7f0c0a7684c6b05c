
mkdir -p ansible/roles/docker/{tasks,handlers} ansible/roles/stack/{tasks,templates} stack

#@write docker-tasks.yml ansible/roles/docker/tasks/main.yml
#@write docker-handlers.yml ansible/roles/docker/handlers/main.yml
#@write stack-tasks.yml ansible/roles/stack/tasks/main.yml
#@write stack-secrets.env.j2 ansible/roles/stack/templates/secrets.env.j2
