
mkdir -p ansible/roles/nginx/{defaults,tasks,handlers,templates} ansible/roles/certificate/tasks

#@write certificate.yml ansible/certificate.yml
#@write nginx-defaults.yml ansible/roles/nginx/defaults/main.yml
#@write nginx-tasks.yml ansible/roles/nginx/tasks/main.yml
#@write nginx-handlers.yml ansible/roles/nginx/handlers/main.yml
#@write nginx-site.conf.j2 ansible/roles/nginx/templates/site.conf.j2
#@write index.html.j2 ansible/roles/nginx/templates/index.html.j2
#@write certificate-tasks.yml ansible/roles/certificate/tasks/main.yml
