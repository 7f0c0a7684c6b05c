
mkdir -p ansible/roles/postgresql/{defaults,tasks,handlers,templates,files}

#@write postgresql-defaults.yml ansible/roles/postgresql/defaults/main.yml
#@write postgresql-tasks.yml ansible/roles/postgresql/tasks/main.yml
#@write postgresql-handlers.yml ansible/roles/postgresql/handlers/main.yml
#@write tuning.conf.j2 ansible/roles/postgresql/templates/tuning.conf.j2
#@write dump-database.sh ansible/roles/postgresql/files/dump-database.sh
#@write restore-dump.sh ansible/roles/postgresql/files/restore-dump.sh
#@write dump-database.service.j2 ansible/roles/postgresql/templates/dump-database.service.j2
#@write dump-database.timer ansible/roles/postgresql/files/dump-database.timer
