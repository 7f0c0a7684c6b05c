
mkdir -p ansible/roles/nginx/{defaults,tasks,handlers,templates} ansible/roles/certificate/tasks
mkdir -p ansible/roles/wordpress/{tasks,templates,files}

#@write certificate.yml ansible/certificate.yml
#@write nginx-defaults.yml ansible/roles/nginx/defaults/main.yml
#@write nginx-tasks.yml ansible/roles/nginx/tasks/main.yml
#@write nginx-handlers.yml ansible/roles/nginx/handlers/main.yml
#@write wordpress-site.conf.j2 ansible/roles/nginx/templates/site.conf.j2
#@write index.html.j2 ansible/roles/nginx/templates/index.html.j2
#@write certificate-tasks.yml ansible/roles/certificate/tasks/main.yml
#@write wordpress-tasks.yml ansible/roles/wordpress/tasks/main.yml
#@write config.php.j2 ansible/roles/wordpress/templates/config.php.j2
#@write install.php.j2 ansible/roles/wordpress/templates/install.php.j2
#@write dump-wordpress.sh ansible/roles/wordpress/files/dump-wordpress.sh
#@write dump-wordpress.service ansible/roles/wordpress/files/dump-wordpress.service
#@write dump-wordpress.timer ansible/roles/wordpress/files/dump-wordpress.timer
