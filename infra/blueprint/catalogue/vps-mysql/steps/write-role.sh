mkdir -p ansible/roles/dumps/{tasks,handlers,templates,files}

#@write compose.yaml stack/compose.yaml
#@write tuning.cnf stack/tuning.cnf
#@write dumps-tasks.yml ansible/roles/dumps/tasks/main.yml
#@write dumps-handlers.yml ansible/roles/dumps/handlers/main.yml
#@write dump-database.sh.j2 ansible/roles/dumps/templates/dump-database.sh.j2
#@write restore-dump.sh.j2 ansible/roles/dumps/templates/restore-dump.sh.j2
#@write dump-database.service ansible/roles/dumps/files/dump-database.service
#@write dump-database.timer ansible/roles/dumps/files/dump-database.timer
